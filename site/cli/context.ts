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
  #options: SiteContextOptions;
  #config: SiteConfig | null = null;

  constructor(options: SiteContextOptions) {
    this.#options = options;
    this.table = options.table;
    this.language = options.language;
    this.env = options.env;
    this.terminal = options.terminal;
  }

  /** @throws ConfigError */
  get config(): SiteConfig {
    this.#config ??= this.#options.readConfig();
    return this.#config;
  }

  /** The running site, over its local socket. */
  get api(): ApiClient {
    const { adminSocket } = this.config;
    const { language, plainAnswers, looks } = this.#options;
    const w = commandMessages[plainAnswers ? 'en' : language];
    return new ApiClient({
      at: { socket: adminSocket },
      whenSilent: w.silent(adminSocket),
      whenLate: w.late(adminSocket),
      whenForbidden: w.forbidden(adminSocket),
      refused: w.refused ?? {},
      ...(looks ? { timeoutMs: LOOK_MS } : {}),
    });
  }
}

export const siteCommand = commandsFor<SiteContext>();
