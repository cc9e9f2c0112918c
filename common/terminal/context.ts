import type { Environment } from '../config.ts';
import { type Catalogue, type Language, sayer, type Sentences, translate } from '../message.ts';
import { ApiClient } from './api.ts';
import type { Terminal } from './command.ts';
import type { CommandTable } from './command-table.ts';
import { localTime } from './local-time.ts';

/** Timeout of commands that only read, so that neither a person nor a monitor waits long, ms. */
const LOOK_MS = 10_000;

/**
 * What a program's command line says of its local socket, and of error answers: `refused_not_found`, with the
 * message of the answer as `said`.
 */
export type SocketMessages = Catalogue & Record<'silent' | 'late' | 'forbidden', Sentences<'socket'>>;

export interface CommandContextOptions<Context, Config> {
  table: CommandTable<Context>;
  language: Language;
  /** The program's answers stay as they are: they go to another program, or to support. */
  plainAnswers: boolean;
  looks: boolean;
  env: Environment;
  terminal: Terminal;
  messages: SocketMessages;
  readConfig: () => Config;
}

/** What a command is given. The configuration is read when a command first asks for it. */
export class CommandContext<Context, Config extends { adminSocket: string }> {
  readonly table: CommandTable<Context>;
  readonly language: Language;
  readonly env: Environment;
  readonly terminal: Terminal;
  readonly time = localTime;
  readonly #options: CommandContextOptions<Context, Config>;
  /** In which errors are said. */
  #told: Language;
  #config: Config | null = null;

  constructor(options: CommandContextOptions<Context, Config>) {
    this.#options = options;
    this.#told = options.plainAnswers ? 'en' : options.language;
    this.table = options.table;
    this.language = options.language;
    this.env = options.env;
    this.terminal = options.terminal;
  }

  /** @throws ConfigError */
  get config(): Config {
    this.#config ??= this.#options.readConfig();
    return this.#config;
  }

  /** The running program, over its local socket. */
  get api(): ApiClient {
    const { adminSocket: socket } = this.config;
    const w = sayer<SocketMessages>(this.#options.messages, this.#told);
    return new ApiClient({
      at: { socket },
      whenSilent: w('silent', { socket }),
      whenLate: w('late', { socket }),
      whenForbidden: w('forbidden', { socket }),
      refused: (code, said) =>
        translate(this.#options.messages, { code: `refused_${code}`, params: { said } }, this.#told) ?? said,
      ...(this.#options.looks ? { timeoutMs: LOOK_MS } : {}),
    });
  }
}
