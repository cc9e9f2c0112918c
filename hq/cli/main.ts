import type { Environment } from '../../common/config.ts';
import { sayer } from '../../common/message.ts';
import { standardTerminal, type Terminal } from '../../common/terminal/command.ts';
import { readCommandLine } from '../../common/terminal/command-line.ts';
import { takeLanguage } from '../../common/terminal/language.ts';
import { type PasswordSource, terminalPasswords } from '../../common/terminal/password.ts';
import type { HubConfig } from '../config.ts';
import { commandMessages } from './command-messages.ts';
import { HubContext } from './context.ts';
import { hubTable } from './table/table.ts';
import { userMessages } from './user-messages.ts';

export interface CommandSurroundings {
  env: Environment;
  readConfig: () => HubConfig;
  terminal?: Terminal;
  passwords?: PasswordSource;
}

/**
 * Carries out one command of the hub's command line.
 * @returns the exit code, or `run` where the hub itself is to be run
 * @throws UsageError, ConfigError, ApiError, NotRunning
 */
export async function runCommand(
  argv: readonly string[],
  { env, readConfig, terminal = standardTerminal, passwords }: CommandSurroundings,
): Promise<number | 'run'> {
  const { language, rest } = takeLanguage(argv, env);
  const read = readCommandLine(rest, { table: hubTable, language, terminal });
  if (read === null) return 0;
  const { command, typed } = read;
  if (command.name === 'run') return 'run';
  const context = new HubContext({
    table: hubTable,
    language,
    plainAnswers: typed.json === true || command.name === 'bundle',
    looks: command.looks === true,
    env,
    terminal,
    messages: commandMessages,
    passwords: passwords ?? terminalPasswords(sayer(userMessages, language)('ask'), language),
    readConfig,
  });
  // The reader has checked what was typed against the options and words of this very command.
  return command.run(typed as never, context);
}
