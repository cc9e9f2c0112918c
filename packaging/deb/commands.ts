// The tables of commands, and where the completions made from them lie on a Debian system.
import type { CommandTable } from '../../common/terminal/command-table.ts';
import type { Shell } from '../../common/terminal/completion.ts';
import { hubTable } from '../../hq/cli/table/table.ts';
import { siteTable } from '../../site/cli/table/table.ts';
import type { ProgramName } from './product.ts';

export const tables: Record<ProgramName, CommandTable<never>> = { site: siteTable, hq: hubTable };

/** Relative to the root of the file system. */
export const COMPLETIONS: Record<Shell, (name: string) => string> = {
  bash: (name) => `usr/share/bash-completion/completions/${name}`,
  zsh: (name) => `usr/share/zsh/vendor-completions/_${name}`,
  fish: (name) => `usr/share/fish/vendor_completions.d/${name}.fish`,
};
