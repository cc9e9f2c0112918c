import type { Environment } from '../../common/config.ts';
import type { Language } from '../../common/message.ts';
import { ApiClient } from '../../common/terminal/api.ts';
import type { Terminal } from '../../common/terminal/command.ts';
import { commandsFor, type CommandTable } from '../../common/terminal/command-table.ts';
import { localTime } from '../../common/terminal/local-time.ts';
import type { HubConfig } from '../config.ts';
import { commandMessages } from './command-messages.ts';
import type { PasswordSource } from './password.ts';

/** Timeout of commands that only read, so that neither a person nor a monitor waits long, ms. */
const LOOK_MS = 10_000;

export interface HubContextOptions {
  table: CommandTable<HubContext>;
  language: Language;
  /** The answers of the hub stay as they are: they go to a program, or to support. */
  plainAnswers: boolean;
  looks: boolean;
  env: Environment;
  terminal: Terminal;
  passwords: PasswordSource;
  readConfig: () => HubConfig;
}

/** What a command of the hub is given. The configuration is read when a command first asks for it. */
export class HubContext {
  readonly table: CommandTable<HubContext>;
  readonly language: Language;
  readonly terminal: Terminal;
  readonly passwords: PasswordSource;
  readonly env: Environment;
  readonly time = localTime;
  #language: Language;
  #plainAnswers: boolean;
  #looks: boolean;
  #readConfig: () => HubConfig;
  #config: HubConfig | null = null;

  constructor(options: HubContextOptions) {
    this.#language = options.language;
    this.#plainAnswers = options.plainAnswers;
    this.#looks = options.looks;
    this.#readConfig = options.readConfig;
    this.table = options.table;
    this.language = options.language;
    this.terminal = options.terminal;
    this.passwords = options.passwords;
    this.env = options.env;
  }

  /** @throws ConfigError */
  get config(): HubConfig {
    this.#config ??= this.#readConfig();
    return this.#config;
  }

  /** The running hub, over its local socket. */
  get api(): ApiClient {
    const { adminSocket } = this.config;
    const w = commandMessages[this.#plainAnswers ? 'en' : this.#language];
    return new ApiClient({
      at: { socket: adminSocket },
      whenSilent: w.silent(adminSocket),
      whenLate: w.late(adminSocket),
      whenForbidden: w.forbidden(adminSocket),
      refused: w.refused ?? {},
      ...(this.#looks ? { timeoutMs: LOOK_MS } : {}),
    });
  }
}

export const hubCommand = commandsFor<HubContext>();
