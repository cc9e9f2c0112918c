import { commandsFor } from '../../common/terminal/command-table.ts';
import { CommandContext, type CommandContextOptions } from '../../common/terminal/context.ts';
import type { PasswordSource } from '../../common/terminal/password.ts';
import type { HubConfig } from '../config.ts';

/** What a command of the hub is given. */
export class HubContext extends CommandContext<HubContext, HubConfig> {
  readonly passwords: PasswordSource;

  constructor(options: CommandContextOptions<HubContext, HubConfig> & { passwords: PasswordSource }) {
    super(options);
    this.passwords = options.passwords;
  }
}

export const hubCommand = commandsFor<HubContext>();
