import type { Environment } from '../config.ts';
import type { Language } from '../message.ts';
import { ApiClient } from './api.ts';
import type { Terminal } from './command.ts';
import type { CommandTable } from './command-table.ts';
import { localTime } from './local-time.ts';

/** Timeout of commands that only read, so that neither a person nor a monitor waits long, ms. */
const LOOK_MS = 10_000;

/** What a program's command line says of its local socket, in one language. */
export interface SocketMessages {
  silent: (socket: string) => string;
  late: (socket: string) => string;
  forbidden: (socket: string) => string;
  /** Before the message of an error answer, by its code; null: the message says it all. */
  refused: Readonly<Record<string, string>> | null;
}

export interface CommandContextOptions<Context, Config> {
  table: CommandTable<Context>;
  language: Language;
  /** The program's answers stay as they are: they go to another program, or to support. */
  plainAnswers: boolean;
  looks: boolean;
  env: Environment;
  terminal: Terminal;
  messages: Record<Language, SocketMessages>;
  readConfig: () => Config;
}

/** What a command is given. The configuration is read when a command first asks for it. */
export class CommandContext<Context, Config extends { adminSocket: string }> {
  readonly table: CommandTable<Context>;
  readonly language: Language;
  readonly env: Environment;
  readonly terminal: Terminal;
  readonly time = localTime;
  #messages: SocketMessages;
  #looks: boolean;
  #readConfig: () => Config;
  #config: Config | null = null;

  constructor(options: CommandContextOptions<Context, Config>) {
    this.#messages = options.messages[options.plainAnswers ? 'en' : options.language];
    this.#looks = options.looks;
    this.#readConfig = options.readConfig;
    this.table = options.table;
    this.language = options.language;
    this.env = options.env;
    this.terminal = options.terminal;
  }

  /** @throws ConfigError */
  get config(): Config {
    this.#config ??= this.#readConfig();
    return this.#config;
  }

  /** The running program, over its local socket. */
  get api(): ApiClient {
    const { adminSocket } = this.config;
    return new ApiClient({
      at: { socket: adminSocket },
      whenSilent: this.#messages.silent(adminSocket),
      whenLate: this.#messages.late(adminSocket),
      whenForbidden: this.#messages.forbidden(adminSocket),
      refused: this.#messages.refused ?? {},
      ...(this.#looks ? { timeoutMs: LOOK_MS } : {}),
    });
  }
}
