import type { Environment } from '../../common/config.ts';
import { standardTerminal, type Terminal } from '../../common/terminal/command.ts';
import { readCommandLine } from '../../common/terminal/command-line.ts';
import { takeLanguage } from '../../common/terminal/language.ts';
import type { SiteConfig } from '../config.ts';
import { commandMessages } from './command-messages.ts';
import { SiteContext } from './context.ts';
import { siteTable } from './table/table.ts';

export interface CommandSurroundings {
  env: Environment;
  readConfig: () => SiteConfig;
  terminal?: Terminal;
}

/**
 * Carries out one command of the site's command line.
 * @returns the exit code, or `run` where the site itself is to be run
 * @throws UsageError, ConfigError, ApiError, NotRunning
 */
export async function runCommand(
  argv: readonly string[],
  { env, readConfig, terminal = standardTerminal }: CommandSurroundings,
): Promise<number | 'run'> {
  const { language, rest } = takeLanguage(argv, env);
  const read = readCommandLine(rest, { table: siteTable, language, terminal });
  if (read === null) return 0;
  const { command, typed } = read;
  if (command.name === 'run') return 'run';
  const context = new SiteContext({
    table: siteTable,
    language,
    plainAnswers: typed.json === true || command.name === 'bundle',
    looks: command.looks === true,
    env,
    terminal,
    messages: commandMessages,
    readConfig,
  });
  // The reader has checked what was typed against the options and words of this very command.
  return command.run(typed as never, context);
}
