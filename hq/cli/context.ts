import type { Environment } from '../../common/config.ts';
import type { Language } from '../../common/message.ts';
import { readSecret } from '../../common/secret.ts';
import { ApiClient } from '../../common/terminal/api.ts';
import type { Terminal } from '../../common/terminal/command.ts';
import { commandsFor, type CommandTable } from '../../common/terminal/command-table.ts';
import { localTime } from '../../common/terminal/local-time.ts';
import type { HubConfig } from '../config.ts';
import { commandMessages } from './command-messages.ts';
import type { PasswordSource } from './password.ts';

export interface HubContextOptions {
  table: CommandTable<HubContext>;
  language: Language;
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
  #options: HubContextOptions;
  #config: HubConfig | null = null;

  constructor(options: HubContextOptions) {
    this.#options = options;
    this.table = options.table;
    this.language = options.language;
    this.terminal = options.terminal;
    this.passwords = options.passwords;
    this.env = options.env;
  }

  /** @throws ConfigError */
  get config(): HubConfig {
    this.#config ??= this.#options.readConfig();
    return this.#config;
  }

  /** The running hub. */
  get api(): ApiClient {
    const { listen, tls, adminKeyRef, dataDir, secrets } = this.config;
    const w = commandMessages[this.language];
    const reach = listen.host === '0.0.0.0' || listen.host === '::' ? '127.0.0.1' : listen.host;
    const url = `${tls ? 'https' : 'http'}://${reach.includes(':') ? `[${reach}]` : reach}:${listen.port}`;
    return new ApiClient({
      at: { url },
      headers: { 'x-admin-key': readSecret(adminKeyRef ?? `file:${dataDir}/secrets/admin-key`, secrets) },
      whenSilent: w.silent(url),
    });
  }
}

export const hubCommand = commandsFor<HubContext>();
