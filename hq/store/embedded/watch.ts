// Sees to it that the embedded server runs as long as the hub does.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { EmbeddedLog } from './home.ts';
import type { Running } from './process.ts';

export interface HeldServer {
  server: Running;
  /** Breaks when the server does, or the server process behind it. */
  keeper: pg.Client;
  /** Whether it holds the lock of the one who may stop the server. */
  owner: boolean;
}

export interface WatchParts {
  log: EmbeddedLog;
  /** Whether no server runs. */
  gone(): Promise<boolean>;
  /** Starts the server again, or joins the one that somebody else started. */
  again(signal: AbortSignal): Promise<HeldServer>;
  leave(keeper: pg.Client): Promise<void>;
}

const LOOK_MS = 500;
const TRY_AGAIN_MS = 1_000;

export class ServerWatch {
  #held: HeldServer;
  readonly #parts: WatchParts;
  #ending = new AbortController();
  #lost = false;
  #done: Promise<void>;

  constructor(held: HeldServer, parts: WatchParts) {
    this.#held = held;
    this.#parts = parts;
    this.#listen(held.keeper);
    this.#done = this.#watch();
  }

  get owner(): boolean {
    return this.#held.owner;
  }

  /** Stops watching. @returns the server as it is held at that moment */
  async stop(): Promise<HeldServer> {
    this.#ending.abort();
    await this.#done;
    return this.#held;
  }

  #listen(keeper: pg.Client): void {
    this.#lost = false;
    keeper.once('end', () => (this.#lost = this.#held.keeper === keeper || this.#lost));
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ending;
    while (await this.#pause(LOOK_MS)) {
      try {
        if (!this.#lost && !(await this.#parts.gone())) continue;
        if (await this.#parts.gone())
          this.#parts.log.warn('embedded Postgres has ended; it is started again');
        await this.#parts.leave(this.#held.keeper);
        this.#held = await this.#parts.again(signal);
        this.#listen(this.#held.keeper);
        this.#parts.log.info(`embedded Postgres runs again on 127.0.0.1:${this.#held.server.port}`);
      } catch (error) {
        if (signal.aborted) return;
        this.#parts.log.warn(`embedded Postgres could not be started again: ${(error as Error).message}`);
        await this.#pause(TRY_AGAIN_MS);
      }
    }
  }

  /** @returns false when it is to stop */
  async #pause(ms: number): Promise<boolean> {
    // The sleep rejects only when the ending cuts it short, which the answer says.
    await sleep(ms, undefined, { ref: false, signal: this.#ending.signal }).catch(() => undefined);
    return !this.#ending.signal.aborted;
  }
}
