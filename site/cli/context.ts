import { commandsFor } from '../../common/terminal/command-table.ts';
import { CommandContext } from '../../common/terminal/context.ts';
import type { SiteConfig } from '../config.ts';

/** What a command of the site is given. */
export class SiteContext extends CommandContext<SiteContext, SiteConfig> {}

export const siteCommand = commandsFor<SiteContext>();
