import { type Clock, stampOf } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { DatasetDescriptor } from '../../common/dataset/schema.ts';
import { LeaseLost } from '../../common/lease.ts';
import { clearAlarms, messageOf } from './alarm.ts';
import { contractChanged, declared, differences, requireFields } from './contract.ts';
import { PullFailures, type Unread } from './failures.ts';
import { overlapped, SourceFailed, type SourceReader } from './fetch.ts';
import { type Asked, asked, pageOf, Repeats } from './page-ahead.ts';
import { type CheckedPage, checkPage, type RowsAhead } from './page-check.ts';
import type { PullPort } from './port.ts';
import { type DatasetState, processors, type PullLease, type Source } from './record.ts';
import { tellRepeatedCodes } from './repeated-codes.ts';
import { aheadAlarm, aheadTrouble, isFarAhead, requireWhole } from './rows-ahead.ts';

/**
 * Waits for one answer of a source that limits its calls, whose window is a minute; then the run ends and
 * goes on later, so that other sources have its place.
 */
const MAX_WAITS = 2;

export interface PullerOptions {
  port: PullPort;
  reader: Pick<SourceReader, 'descriptors' | 'page'>;
  alarms: AlarmPort;
  clock: Clock;
  /** Name of this instance, for its alarms. */
  self: string;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Pulls the datasets of one source that is held by a lease. */
export class Puller {
  readonly counts = { pages: 0, rows: 0, changed: 0, duplicates: 0, refused: 0, failed: 0 };
  #port: PullPort;
  #reader: PullerOptions['reader'];
  #alarms: AlarmPort;
  #clock: Clock;
  #self: string;
  #failures: PullFailures;
  #sleep: (ms: number, signal: AbortSignal) => Promise<void>;

  constructor({ port, reader, alarms, clock, self, sleep }: PullerOptions) {
    this.#port = port;
    this.#reader = reader;
    this.#alarms = alarms;
    this.#clock = clock;
    this.#self = self;
    this.#failures = new PullFailures({ port, alarms, clock, self, counts: this.counts });
    this.#sleep = sleep;
  }

  /** @returns what went wrong, null when every dataset was read to its end. A lost lease ends it quietly. */
  async run(source: Source, lease: PullLease, signal: AbortSignal): Promise<{ error: string | null }> {
    const inOrder = [...source.datasets].sort(
      (a, b) => processors.indexOf(a.processor) - processors.indexOf(b.processor),
    );
    let error: string | null = null;
    try {
      const offered = await this.#patiently(signal, () => this.#reader.descriptors(source, signal));
      const unread: Unread[] = [];
      let tried = 0;
      for (const { dataset } of inOrder) {
        signal.throwIfAborted();
        const failed = await this.#dataset(source, lease, { dataset, offered }, signal);
        tried += 1;
        error = failed?.error ?? error;
        if (failed?.unread) unread.push(failed.unread);
        if (failed?.busy) break;
      }
      await this.#failures.tell(source, lease, unread, tried);
    } catch (thrown) {
      if (thrown instanceof LeaseLost || signal.reason instanceof LeaseLost) return { error };
      if (signal.aborted) throw thrown;
      error = messageOf(thrown);
      await this.#failures.ofSource(source, lease, thrown);
    }
    return { error };
  }

  async #dataset(
    source: Source,
    lease: PullLease,
    what: { dataset: string; offered: Map<string, DatasetDescriptor> },
    signal: AbortSignal,
  ): Promise<Failed | null> {
    const { dataset } = what;
    const state = held(await this.#port.begin(lease, dataset, this.#clock.now()));
    try {
      const contract = await this.#agree(lease, state, what.offered);
      const { asOf, ahead } = await this.#pages(source, lease, { state, contract }, signal);
      if (state.mode === 'recompute') await this.#sweep(lease, dataset, ahead, signal);
      await this.#complete(source, lease, state, { asOf, ahead });
      return null;
    } catch (thrown) {
      if (thrown instanceof LeaseLost || signal.aborted) throw thrown;
      return {
        unread: await this.#failures.ofDataset(source, lease, dataset, thrown),
        error: `${dataset}: ${messageOf(thrown)}`,
        busy: thrown instanceof SourceFailed && thrown.retryAfterS !== null,
      };
    }
  }

  async #complete(
    source: Source,
    lease: PullLease,
    { dataset, processor }: DatasetState,
    { asOf, ahead }: Pick<CheckedPage, 'asOf' | 'ahead'>,
  ): Promise<void> {
    const refused = ahead && isFarAhead(ahead) ? ahead : null;
    const end = { asOf, trouble: refused && aheadTrouble(refused) };
    if (!(await this.#port.complete(lease, dataset, end, stampOf(this.#clock)))) throw new LeaseLost();
    const [alarms, now] = [this.#alarms, this.#clock.now()];
    if (processor === 'projects')
      await tellRepeatedCodes({ port: this.#port, alarms, self: this.#self }, source.tenantCode, now);
    if (refused) await alarms.raise(aheadAlarm(source, dataset, refused, this.#self), now);
    // After every good run, since a process may have ended between the last one and this.
    const kinds = refused ? (['contract', 'pull'] as const) : undefined;
    await clearAlarms(alarms, { sourceId: source.id, datasets: [dataset], kinds }, now);
  }

  /** The contract that the pages must keep. @throws ContractBroken when the source declares something else */
  async #agree(
    lease: PullLease,
    state: DatasetState,
    listed: ReadonlyMap<string, DatasetDescriptor>,
  ): Promise<DatasetDescriptor> {
    const offered = declared(listed, state.dataset);
    if (state.contract === null) {
      requireFields(offered, state.processor);
      if (!(await this.#port.pin(lease, state.dataset, offered, stampOf(this.#clock)))) throw new LeaseLost();
      return offered;
    }
    const changes = differences(state.contract, offered);
    if (!(await this.#port.offer(lease, state.dataset, changes.length > 0 ? offered : null)))
      throw new LeaseLost();
    if (changes.length > 0) throw contractChanged(state.dataset, changes);
    requireFields(state.contract, state.processor);
    return state.contract;
  }

  /**
   * Lands page after page; while one is landed the next is on its way, and is given up when the landing
   * fails. @returns time up to which the source has served, and the rows that it stamped later
   */
  async #pages(
    source: Source,
    lease: PullLease,
    { state, contract }: { state: DatasetState; contract: DatasetDescriptor },
    signal: AbortSignal,
  ): Promise<Pick<CheckedPage, 'asOf' | 'ahead'>> {
    let at = state.mode === 'increment' ? overlapped(state.cursor, source.overlapMs) : state.runCursor;
    let expected: Pick<DatasetState, 'mode' | 'cursor' | 'runCursor'> = state;
    const repeats = new Repeats();
    const ended = new AbortController();
    const ask = (from: string | null): Promise<Asked> =>
      asked(this.#page(source, state, contract, from, AbortSignal.any([signal, ended.signal])));
    try {
      let next = ask(at);
      for (;;) {
        const page = pageOf(await next);
        if (page.nextCursor !== null) repeats.check(page.nextCursor);
        at = page.nextCursor ?? at;
        if (page.hasMore) next = ask(at);
        signal.throwIfAborted();
        const landed = await this.#port.land(
          lease,
          {
            dataset: state.dataset,
            expected,
            to: page.nextCursor,
            rows: page.rows,
          },
          stampOf(this.#clock),
        );
        if (!landed) throw new LeaseLost();
        expected = landed.state;
        this.#count(page, landed);
        if (!page.hasMore) return page;
      }
    } finally {
      ended.abort();
    }
  }

  #count({ rows }: CheckedPage, { changed, duplicates }: { changed: number; duplicates: number }): void {
    this.counts.pages += 1;
    this.counts.rows += rows.length;
    this.counts.changed += changed;
    this.counts.duplicates += duplicates;
  }

  async #page(
    source: Source,
    { dataset, processor }: DatasetState,
    contract: DatasetDescriptor,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<CheckedPage> {
    const page = await this.#patiently(signal, () => this.#reader.page(source, dataset, cursor, signal));
    return checkPage(page, contract, processor, cursor);
  }

  /** Waits where the source limits its calls. */
  async #patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof SourceFailed) || error.retryAfterS === null || waits === MAX_WAITS)
          throw error;
        await this.#sleep(error.retryAfterS * 1000, signal);
        signal.throwIfAborted();
      }
    }
  }

  async #sweep(
    lease: PullLease,
    dataset: string,
    ahead: RowsAhead | null,
    signal: AbortSignal,
  ): Promise<void> {
    if (ahead) requireWhole(ahead);
    const spared = ahead ? ahead.rows.map(({ pk }) => pk) : [];
    while (held(await this.#port.sweep(lease, dataset, spared, stampOf(this.#clock))) > 0)
      signal.throwIfAborted();
  }
}

interface Failed {
  error: string;
  unread: Unread | null;
  /** The source takes no more calls for now, whatever the dataset. */
  busy: boolean;
}

function held<T>(result: T | null): T {
  if (result === null) throw new LeaseLost();
  return result;
}
