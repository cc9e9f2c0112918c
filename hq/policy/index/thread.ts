// The threads that have index files, and what the hub says to them.
import { Worker } from 'node:worker_threads';
import type { Question, Ranking } from '../../../common/policy/index/rank.ts';
import type { IndexFacts } from '../../../common/policy/index/search-index.ts';

export interface ThreadData {
  databaseUrl: string;
  path: string;
  logLevel: string;
}

export type Order =
  /** Take the file into use. */
  | { kind: 'open' }
  /** Answer from everything that was committed before this request. */
  | { kind: 'search'; question: Question }
  /** Read what was committed, and say whether the file should be rebuilt (`worn`). */
  | { kind: 'catch_up' }
  /** Replace the file in use by one that was built, in one step. */
  | { kind: 'replace'; built: string }
  | { kind: 'facts' }
  /** Make a new file; it is not taken into use. */
  | { kind: 'build' }
  /** Close and seal the file. */
  | { kind: 'close' };

export interface Answers {
  open: { whole: boolean };
  search: Ranking;
  catch_up: { worn: string | null };
  replace: null;
  /** null while no file is in use. */
  facts: IndexFacts | null;
  build: { changeNo: number };
  close: null;
}

/** Ids ascend. */
export type Envelope = { id: number; order: Order };

/** `unusable`: the file must be made anew; `store`: the database; `failed`: anything else. */
export type Failure = { kind: 'unusable' | 'store' | 'failed'; message: string };

export type Reply = { id: number; value: Answers[keyof Answers] } | { id: number; failure: Failure };

/** From source the thread is a module beside this one; from the bundle a file beside the program. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './index-worker.mjs',
  import.meta.url,
);

export class ThreadFailure extends Error {
  readonly kind: Failure['kind'];
  constructor({ kind, message }: Failure) {
    super(message);
    this.name = 'ThreadFailure';
    this.kind = kind;
  }
}

interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: ThreadFailure) => void;
}

/** Asks a thread and hands over its answers. When the thread dies, everything asked of it fails. */
export class IndexThread {
  #worker: Worker;
  #waiting = new Map<number, PendingCall>();
  #lastId = 0;
  #dead: Failure | null = null;

  constructor(data: ThreadData) {
    this.#worker = new Worker(ENTRY, { workerData: data, name: 'policy index' });
    this.#worker.on('message', (reply: Reply) => this.#answered(reply));
    this.#worker.on('error', (error) => this.#died(error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', (code) => this.#died(`the index thread ended with ${code}`));
  }

  /** @throws ThreadFailure */
  ask<K extends Order['kind']>(order: Extract<Order, { kind: K }>): Promise<Answers[K]> {
    if (this.#dead) return Promise.reject(new ThreadFailure(this.#dead));
    const id = (this.#lastId += 1);
    return new Promise<Answers[K]>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject });
      this.#worker.postMessage({ id, order });
    });
  }

  get dead(): boolean {
    return this.#dead !== null;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('failure' in reply) waiting?.reject(new ThreadFailure(reply.failure));
    else waiting?.resolve(reply.value as never);
  }

  #died(message: string): void {
    this.#dead ??= { kind: 'unusable', message };
    for (const { reject } of this.#waiting.values()) reject(new ThreadFailure(this.#dead));
    this.#waiting.clear();
  }
}
