import { type Clock, stampOf } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { holdingLease } from '../../../common/lease.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import { hubMessages } from '../../hub-messages.ts';
import type { DocumentPort, PolicyContents } from '../port.ts';
import type { ChunkText } from '../record.ts';
import { type EmbedBudget, type EmbedClient, EmbedError } from './client.ts';
import type { EmbeddingLease } from './port.ts';

export interface FillerOptions {
  embedder: EmbedClient;
  budget: EmbedBudget;
  contents: Pick<PolicyContents, 'head' | 'unembedded'>;
  documents: Pick<DocumentPort, 'embed'>;
  lease: EmbeddingLease;
  alarms: AlarmPort;
  instance: string;
  clock: Clock;
  log: Logger;
  /** Called after vectors were stored. */
  onStored?: () => void;
}

/** Texts of one call to the service. */
const BATCH = 32;
const INTERVAL_MS = 5_000;
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const CALL_MS = 60_000;
/** A text that the service refused is offered again after this. */
const REFUSED_FOR_MS = 3_600_000;
const ALARM = 'policy_embedding';

/** Computes the vectors that chunks lack, in the background; of all hub processes one does it. */
export class EmbeddingFiller {
  readonly #options: FillerOptions;
  #loop: Loop;
  #holder: string;
  /** Refused texts by chunk, with the monotonic time from which they are offered again. */
  #refused = new Map<number, number>();
  /** Tenants whose calls of today are made: their chunks wait for the next day. */
  #waiting = new Set<string>();
  /** Every chunk up to this change number has its vector or was refused by the service. */
  #seen = 0;
  stored = 0;

  constructor(options: FillerOptions) {
    this.#options = options;
    this.#holder = options.clock.newId();
    this.#loop = new Loop({
      name: 'policy embedding',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#options.lease.release(this.#holder);
  }

  /**
   * Goes through the chunks without a vector that came since the last round, unless another process is at it.
   */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const renew = (): Promise<boolean> => {
      const now = this.#options.clock.now();
      return this.#options.lease.take(this.#holder, now, now + LEASE_MS);
    };
    if (!(await renew())) return { again: false };
    await this.#options.budget.round();
    await holdingLease(renew, RENEW_MS, signal, (held) => this.#pass(held));
    await this.#report();
    return { again: false };
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const again = [...this.#refused].filter(([, until]) => until <= this.#options.clock.monotonic());
    for (const [id] of again) this.#refused.delete(id);
    const refilled = [...this.#waiting].filter((tenantCode) => !this.#options.budget.isSpent(tenantCode));
    for (const tenantCode of refilled) this.#waiting.delete(tenantCode);
    if (again.length + refilled.length > 0) this.#seen = 0;
    for (;;) {
      signal.throwIfAborted();
      const head = await this.#options.contents.head();
      if (head < this.#seen) this.#seen = 0; // The database was put back to an earlier state.
      const found = await this.#options.contents.unembedded(this.#options.embedder.model, this.#seen, BATCH);
      const open = found.filter(
        ({ id, tenantCode }) => !this.#refused.has(id) && !this.#waiting.has(tenantCode),
      );
      for (const own of Map.groupBy(open, ({ tenantCode }) => tenantCode).values())
        await this.#embed(own, signal);
      this.#seen = found.at(-1)?.changeNo ?? head;
      if (found.length === 0) return;
    }
  }

  /**
   * Texts of one tenant. One refused text spoils a whole call, so the texts of a refused call are tried one
   * by one.
   */
  async #embed(chunks: readonly ChunkText[], signal: AbortSignal): Promise<void> {
    const [{ tenantCode }] = chunks as [ChunkText];
    if (this.#waiting.has(tenantCode)) return;
    if (!(await this.#options.budget.take(tenantCode))) return void this.#waiting.add(tenantCode);
    let vectors: Float32Array[];
    try {
      vectors = await this.#options.embedder.embed(
        chunks.map((chunk) => `${chunk.clausePath ?? ''}\n${chunk.text}`.trim()),
        { signal, timeoutMs: CALL_MS },
      );
    } catch (error) {
      if (!(error instanceof EmbedError) || error.kind !== 'refused') throw error;
      if (chunks.length > 1) {
        for (const chunk of chunks) await this.#embed([chunk], signal);
        return;
      }
      for (const { id } of chunks) this.#refused.set(id, this.#options.clock.monotonic() + REFUSED_FOR_MS);
      return;
    }
    await this.#store(chunks, vectors);
  }

  async #store(chunks: readonly ChunkText[], vectors: readonly Float32Array[]): Promise<void> {
    for (const [tenantCode, own] of Map.groupBy(
      chunks.map((chunk, at) => ({ chunk, vector: vectors[at] as Float32Array })),
      ({ chunk }) => chunk.tenantCode,
    )) {
      const items = own.map(({ chunk, vector }) => ({
        chunkId: chunk.id,
        textSha256: chunk.textSha256,
        embedding: Buffer.from(vector.buffer),
        dim: vector.length,
      }));
      const results = await this.#options.documents.embed(
        { tenantCode, model: this.#options.embedder.model, items, actor: 'system' },
        stampOf(this.#options.clock),
      );
      this.stored += results.filter((one) => one.stored).length;
    }
    this.#options.onStored?.();
  }

  async #report(): Promise<void> {
    const chunks = [...this.#refused.keys()];
    if (chunks.length === 0)
      return void (await this.#options.alarms.clear(ALARM, null, this.#options.clock.now()));
    await this.#options.alarms.raise(
      {
        key: ALARM,
        instance: this.#options.instance,
        shared: true,
        tenantCode: null,
        severity: 'warning',
        ...alarmText(
          hubMessages,
          { code: 'policy_embedding', params: { chunks: chunks.length } },
          { chunks: chunks.slice(0, 20) },
        ),
      },
      this.#options.clock.now(),
    );
  }
}
