import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpClient, TransportError } from '../../common/http/outbound/client.ts';
import { ApiClient } from '../../common/terminal/api.ts';
import { Child } from './child.ts';
import type { DemoState } from './state.ts';

/** The exit of a program that died is heard within this time. */
const EXIT_HEARD_MS = 2_000;
const READY_MS = 90_000;
const ANSWER_MS = 5_000;
const STOP_MS = 3_000;
/** A call waits for its answer so long: the library of the demonstration is read within one. */
const CALL_MS = 30_000;

export interface ProgramsOptions {
  /** Folder of the checkout, in which the sources of the programs are. */
  root: string;
  state: DemoState;
  client: HttpClient;
  /** When it comes, nothing is waited for any more. */
  signal: AbortSignal;
}

/** The programs of the demonstration: headquarters first, then the site, then what belongs to the site. */
export class Programs {
  #root: string;
  #state: DemoState;
  #client: HttpClient;
  #signal: AbortSignal;
  #children: Child[] = [];

  constructor({ root, state, client, signal }: ProgramsOptions) {
    this.#root = root;
    this.#state = state;
    this.#client = client;
    this.#signal = signal;
  }

  /** @param source of the program, from the folder of the checkout */
  launch(name: string, source: string, args: readonly string[], env: Record<string, string> = {}): void {
    const logFile = this.#state.logFile(name);
    const argv = [resolve(this.#root, source), ...args];
    this.#children.push(new Child(name, argv, { env, logFile, cwd: process.cwd() }));
  }

  /** Waits until the newest program can take work. @throws Error when it ends, or is not ready in time */
  async ready(url: string, of: 'hub' | 'site'): Promise<ApiClient> {
    const deadline = performance.now() + READY_MS;
    const child = this.#children.at(-1) as Child;
    let dead: Error | null = null;
    void child.died.then((error) => (dead = error));
    for (;;) {
      this.#signal.throwIfAborted();
      if (dead) throw dead as Error;
      if (await this.#answers(`${url}/readyz`)) {
        return new ApiClient({
          at: { url },
          headers: { 'x-admin-key': this.#state.adminKey(of) },
          whenSilent: `nothing answers at ${url}`,
          whenLate: `${child.name} at ${url} gave no answer within ${CALL_MS / 1000} s`,
          timeoutMs: CALL_MS,
        });
      }
      if (performance.now() > deadline)
        throw new Error(
          `${child.name} is not ready after ${READY_MS / 1000} s; its log ends with:\n${child.lastLines()}`,
        );
      await sleep(150);
    }
  }

  async #answers(url: string): Promise<boolean> {
    try {
      return (await this.#client.send({ method: 'GET', url, timeoutMs: ANSWER_MS })).status === 200;
    } catch (error) {
      if (error instanceof TransportError) return false;
      throw error;
    }
  }

  /**
   * Waits for the work, or for the first program that dies. A call may fail because a program has died whose
   * exit is heard only later: the error is then the end of that program.
   */
  async untilDeath(work: Promise<void>): Promise<void> {
    const died = Promise.race(this.#children.map((child) => child.died));
    try {
      await Promise.race([work, died.then((error) => Promise.reject(error))]);
    } catch (error) {
      this.#signal.throwIfAborted();
      throw (await Promise.race([died, sleep(EXIT_HEARD_MS).then(() => null)])) ?? error;
    }
  }

  /** Cameras and the business system first, then the site, then headquarters. */
  async stop(): Promise<void> {
    const [hub, site, ...others] = this.#children;
    for (const group of [others, site ? [site] : [], hub ? [hub] : []])
      await Promise.all(group.map((child) => child.stop(STOP_MS)));
  }
}
