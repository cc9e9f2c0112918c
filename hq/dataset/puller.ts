import { type Clock, stampOf } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { DatasetDescriptor } from '../../common/dataset/schema.ts';
import { LeaseLost } from '../../common/lease.ts';
import { type Asked, asked, pageOf, Repeats } from './ahead/pages.ts';
import { aheadAlarm, aheadTrouble, isFarAhead, requireWhole } from './ahead/rows.ts';
import { clearAlarms, messageOf } from './alarm.ts';
import { contractChanged, declared, differences, requireFields } from './contract.ts';
import { beginOf, settledBy } from './decide.ts';
import { PullFailures, type Unread } from './failures.ts';
import { SourceFailed, type SourceReader } from './fetch.ts';
import { type CheckedPage, checkPage, type RowsAhead } from './page-check.ts';
import type { PullPort } from './port.ts';
import { type DatasetState, type LandedShare, processors, type PullLease, type Source } from './record.ts';
import { tellRepeatedCodes } from './repeated-codes.ts';
import { ShareFull } from './room.ts';
import { nextRun } from './schedule.ts';

/**
 * Waits for one answer of a source that limits its calls, whose window is a minute; then the run ends and
 * goes on later, so that other sources have its place.
 */
const MAX_WAITS = 2;
/** Pages that a dataset lands before the next one of its source has its turn. */
const PAGES_OF_TURN = 10;

export interface PullerOptions {
  port: PullPort;
  reader: Pick<SourceReader, 'descriptors' | 'page'>;
  alarms: AlarmPort;
  clock: Clock;
  /** Name of this instance, for its alarms. */
  self: string;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The most that the datasets of a tenant may take together. */
  most: LandedShare;
}

/** Pulls the datasets of one source that is held by a lease. */
export class Puller {
  readonly counts = { pages: 0, rows: 0, changed: 0, duplicates: 0, refused: 0, failed: 0, full: 0 };
  readonly #options: PullerOptions;
  #failures: PullFailures;

  constructor(options: PullerOptions) {
    this.#options = options;
    this.#failures = new PullFailures({
      port: options.port,
      alarms: options.alarms,
      clock: options.clock,
      self: options.self,
      counts: this.counts,
    });
  }

  /** @returns what went wrong, null when every dataset was read to its end. A lost lease ends it quietly. */
  async run(source: Source, lease: PullLease, signal: AbortSignal): Promise<{ error: string | null }> {
    const ended = new Map<string, Failed | null>();
    const error = (): string | null => [...ended.values()].findLast((one) => one !== null)?.error ?? null;
    try {
      const offered = await this.#patiently(signal, () => this.#options.reader.descriptors(source, signal));
      await this.#turns(source, lease, { offered, ended }, signal);
      const unread = [...ended.values()].flatMap((one) => one?.unread ?? []);
      await this.#failures.tell(source, lease, unread, ended.size);
    } catch (thrown) {
      if (thrown instanceof LeaseLost || signal.reason instanceof LeaseLost) return { error: error() };
      if (signal.aborted) throw thrown;
      await this.#failures.ofSource(source, lease, thrown);
      return { error: messageOf(thrown) };
    }
    return { error: error() };
  }

  /**
   * The datasets of a source take turns, so that none waits for the end of another. Those that are at their
   * end begin again when a run is due or asked for while others go on.
   */
  async #turns(
    source: Source,
    lease: PullLease,
    { offered, ended }: { offered: Offered; ended: Map<string, Failed | null> },
    signal: AbortSignal,
  ): Promise<void> {
    const begun = (dataset: string) => ({
      dataset,
      pass: this.#dataset(source, lease, { dataset, offered }, signal),
    });
    const waiting = [...source.datasets]
      .sort((a, b) => processors.indexOf(a.processor) - processors.indexOf(b.processor))
      .map(({ dataset }) => begun(dataset));
    let due = nextRun(source.schedule, this.#options.clock.now());
    try {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        signal.throwIfAborted();
        const turn = await one.pass.next();
        if (turn.done) {
          ended.set(one.dataset, turn.value);
          if (turn.value?.busy) return;
          continue;
        }
        waiting.push(one);
        const under = new Set(waiting.map(({ dataset }) => dataset));
        const idle = [...ended.keys()].filter((dataset) => !under.has(dataset));
        if (idle.length === 0) continue;
        const now = this.#options.clock.now();
        const wanted = await this.#options.port.takeRequest(lease);
        if (!wanted && (due === null || now < due)) continue;
        due = nextRun(source.schedule, now);
        waiting.unshift(...idle.map(begun));
      }
    } finally {
      for (const { pass } of waiting) await pass.return(null);
    }
  }

  /** Yields after each turn. */
  async *#dataset(
    source: Source,
    lease: PullLease,
    what: { dataset: string; offered: Offered },
    signal: AbortSignal,
  ): AsyncGenerator<undefined, Failed | null> {
    const { dataset } = what;
    const state = held(await this.#options.port.begin(lease, dataset, this.#options.clock.now()));
    try {
      const contract = await this.#agree(lease, state, what.offered);
      const read = yield* this.#pages(source, lease, { state, contract }, signal);
      if (state.mode === 'recompute') await this.#sweep(lease, dataset, read.ahead, signal);
      await this.#complete(source, lease, state, read);
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
    { asOf, ahead, settled }: Read,
  ): Promise<void> {
    const refused = ahead && isFarAhead(ahead) ? ahead : null;
    const end = { asOf, trouble: refused && aheadTrouble(refused), settled };
    if (!(await this.#options.port.complete(lease, dataset, end, stampOf(this.#options.clock))))
      throw new LeaseLost();
    const [alarms, now] = [this.#options.alarms, this.#options.clock.now()];
    if (processor === 'projects')
      await tellRepeatedCodes(
        { port: this.#options.port, alarms, self: this.#options.self },
        source.tenantCode,
        now,
      );
    if (refused) await alarms.raise(aheadAlarm(source, dataset, refused, this.#options.self), now);
    // After every good run, since a process may have ended between the last one and this.
    const kinds = refused ? (['contract', 'pull', 'full'] as const) : undefined;
    await clearAlarms(alarms, { sourceId: source.id, datasets: [dataset], kinds }, now);
  }

  /** The contract that the pages must keep. @throws ContractBroken when the source declares something else */
  async #agree(lease: PullLease, state: DatasetState, listed: Offered): Promise<DatasetDescriptor> {
    const offered = declared(listed, state.dataset);
    if (state.contract === null) {
      requireFields(offered, state.processor);
      if (!(await this.#options.port.pin(lease, state.dataset, offered, stampOf(this.#options.clock))))
        throw new LeaseLost();
      return offered;
    }
    const changes = differences(state.contract, offered);
    if (!(await this.#options.port.offer(lease, state.dataset, changes.length > 0 ? offered : null)))
      throw new LeaseLost();
    if (changes.length > 0) throw contractChanged(state.dataset, changes);
    requireFields(state.contract, state.processor);
    return state.contract;
  }

  /**
   * Lands page after page; while one is landed the next is on its way, and is given up when the landing
   * fails. Yields after each turn.
   */
  async *#pages(
    source: Source,
    lease: PullLease,
    { state, contract }: { state: DatasetState; contract: DatasetDescriptor },
    signal: AbortSignal,
  ): AsyncGenerator<undefined, Read> {
    let at = state.mode === 'increment' ? beginOf(state, source.overlapMs) : state.runCursor;
    let expected: DatasetState = state;
    let began: string | null = null;
    let changed = 0;
    const repeats = new Repeats();
    const ended = new AbortController();
    const ask = (from: string | null): Promise<Asked> =>
      asked(this.#page(source, state, contract, from, AbortSignal.any([signal, ended.signal])));
    try {
      let next = ask(at);
      for (let pages = 1; ; pages += 1) {
        const page = pageOf(await next);
        began ??= page.asOf;
        if (page.nextCursor !== null) repeats.check(page.nextCursor);
        at = page.nextCursor ?? at;
        if (page.hasMore) next = ask(at);
        signal.throwIfAborted();
        const { nextCursor: to, rows } = page;
        const batch = { dataset: state.dataset, expected, to, rows, most: this.#options.most };
        const landed = held(await this.#options.port.land(lease, batch, stampOf(this.#options.clock)));
        if ('reached' in landed) throw new ShareFull(landed.reached, this.#options.most);
        expected = landed.state;
        changed += landed.changed;
        this.#count(page, landed);
        if (!page.hasMore)
          return { ...page, settled: settledBy(expected, { asOf: began, changed }, source.overlapMs) };
        if (pages % PAGES_OF_TURN === 0) yield;
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
    const page = await this.#patiently(signal, () =>
      this.#options.reader.page(source, dataset, cursor, signal),
    );
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
        await this.#options.sleep(error.retryAfterS * 1000, signal);
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
    while (held(await this.#options.port.sweep(lease, dataset, spared, stampOf(this.#options.clock))) > 0)
      signal.throwIfAborted();
  }
}

type Offered = ReadonlyMap<string, DatasetDescriptor>;

/** What was read to its end: time up to which the source has served, and the rows that it stamped later. */
type Read = Pick<CheckedPage, 'asOf' | 'ahead'> & Pick<DatasetState, 'settled'>;

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
