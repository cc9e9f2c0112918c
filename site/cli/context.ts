import { ApiClient } from '../../common/terminal/api.ts';
import type { Environment } from '../../common/config.ts';
import type { Language } from '../../common/message.ts';
import type { Terminal } from '../../common/terminal/command.ts';
import { commandsFor, type CommandTable } from '../../common/terminal/command-table.ts';
import type { SiteConfig } from '../config.ts';
import { commandMessages } from './command-messages.ts';
import { localTime } from '../../common/terminal/local-time.ts';

/**
 * These only look. A person in front of a site that hangs, and a monitor, should not wait long to hear of it.
 */
const LOOK_MS = 10_000;

export interface SiteContextOptions {
  table: CommandTable<SiteContext>;
  language: Language;
  /** The answers of the site stay as they are: they go to a program, or to support. */
  plainAnswers: boolean;
  looks: boolean;
  env: Environment;
  terminal: Terminal;
  readConfig: () => SiteConfig;
}

/** What a command of the site is given. The configuration is read when a command first asks for it. */
export class SiteContext {
  readonly table: CommandTable<SiteContext>;
  readonly language: Language;
  readonly env: Environment;
  readonly terminal: Terminal;
  readonly time = localTime;
  #language: Language;
  #plainAnswers: boolean;
  #looks: boolean;
  #readConfig: () => SiteConfig;
  #config: SiteConfig | null = null;

  constructor(options: SiteContextOptions) {
    this.#language = options.language;
    this.#plainAnswers = options.plainAnswers;
    this.#looks = options.looks;
    this.#readConfig = options.readConfig;
    this.table = options.table;
    this.language = options.language;
    this.env = options.env;
    this.terminal = options.terminal;
  }

  /** @throws ConfigError */
  get config(): SiteConfig {
    this.#config ??= this.#readConfig();
    return this.#config;
  }

  /** The running site, over its local socket. */
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

export const siteCommand = commandsFor<SiteContext>();
