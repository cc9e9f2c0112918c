import type { Clock } from '../clock.ts';
import { AppError, notFound } from '../http/error.ts';
import { type CallCounter, CallLimit } from './calls.ts';
import { fault } from './dataset-fault-messages.ts';
import { cursorOf, type DatasetPosition, parsePosition, timeOfMs } from './position.ts';
import { requireDescriptors, wireRows } from './rows.ts';
import { type DatasetDescriptor, type GivenRow, QUERY_MS, type WireRow } from './schema.ts';

export interface RowsQuery {
  tenant: string;
  /** Rows strictly after it, by (updated_at, pk); null from the beginning. */
  after: DatasetPosition | null;
  /** Rows up to this time, the time itself included. */
  upTo: string;
  limit: number;
  /** Aborted when the time for the query is over. */
  signal: AbortSignal;
}

/** One dataset and where its rows come from. */
export interface ServedDataset {
  descriptor: DatasetDescriptor;
  /**
   * Time or day of the earliest row of a tenant, in place of the descriptor's `earliest`; null without one.
   * @param tenant null: of all tenants
   */
  earliest?(tenant: string | null): string | null | Promise<string | null>;
  /**
   * In the order of (updated_at, pk), `updated_at` in the form of `Position`; values as the driver of a
   * database gives them.
   */
  rows(query: RowsQuery): readonly GivenRow[] | Promise<readonly GivenRow[]>;
}

export interface DatasetServiceOptions {
  datasets: readonly ServedDataset[];
  clock: Clock;
  /**
   * Milliseconds that rows are held back. It must exceed the longest transaction that writes them: a row that
   * is committed later than this after its update time would lie behind the cursors of its readers.
   */
  lagMs: number;
  /** Where calls are counted; in this process unless given. */
  calls?: CallCounter;
  queryMs?: number;
}

export interface ServedPage {
  items: WireRow[];
  nextCursor: string | null;
  hasMore: boolean;
  schemaVersion: string;
  asOf: string;
}

/** Datasets as they are served: read only, in pages after a composite cursor (spec 2, "Dataset pull"). */
export class DatasetService {
  readonly counts = { pages: 0, rows: 0, limited: 0, overdue: 0 };
  readonly #options: DatasetServiceOptions;
  #queryMs: number;
  #datasets: Map<string, ServedDataset>;
  #limit: CallLimit;

  /** @throws Error when a descriptor is not valid */
  constructor(options: DatasetServiceOptions) {
    requireDescriptors(options.datasets.map(({ descriptor }) => descriptor));
    this.#options = options;
    this.#queryMs = options.queryMs ?? QUERY_MS;
    this.#datasets = new Map(options.datasets.map((dataset) => [dataset.descriptor.key, dataset]));
    this.#limit = new CallLimit(options.calls);
  }

  /**
   * Counts a call, before anything else is done for it. @returns headers that tell the caller what it has
   * left @throws AppError 429 too_many_calls
   */
  async admit(caller: string): Promise<Record<string, string>> {
    const quota = await this.#limit.take(caller, this.#options.clock.now());
    const headers = this.#limit.headers(quota);
    if (quota.allowed) return headers;
    this.counts.limited += 1;
    throw new AppError(
      429,
      'too_many_calls',
      `At most ${this.#limit.perMinute} calls a minute; go on in ${quota.resetS} s.`,
      { retryAfterSeconds: quota.resetS, headers },
    );
  }

  /** @param tenant whose earliest data are told; null: all tenants' */
  async describe(tenant: string | null): Promise<{ datasets: DatasetDescriptor[] }> {
    const datasets: DatasetDescriptor[] = [];
    for (const dataset of this.#datasets.values()) {
      const { descriptor } = dataset;
      const earliest = dataset.earliest ? await dataset.earliest(tenant) : descriptor.earliest;
      datasets.push({ ...descriptor, earliest });
    }
    return { datasets };
  }

  /**
   * The rows strictly after the cursor. The same cursor gives the same rows as long as none of them is
   * corrected.
   * @throws AppError 400, 404, 504 query_timeout; RowNotDeclared; Error when the dataset gives rows that are
   * none of it
   */
  async page(
    key: string,
    query: { cursor?: string | undefined; limit: number; tenant: string },
  ): Promise<ServedPage> {
    const dataset = this.#datasets.get(key);
    if (!dataset) throw notFound(`The dataset ${key}`);
    const after = query.cursor === undefined || query.cursor === '' ? null : parsePosition(query.cursor);
    if (after === null && query.cursor) throw fault('cursor', 'dataset_cursor');
    const asOf = timeOfMs(this.#options.clock.now() - this.#options.lagMs);
    const given = await this.#timed((signal) =>
      dataset.rows({ tenant: query.tenant, after, upTo: asOf, limit: query.limit + 1, signal }),
    );
    const rows = wireRows(dataset.descriptor, given, { after, upTo: asOf });
    const items = rows.slice(0, query.limit);
    const last = items.at(-1);
    this.counts.pages += 1;
    this.counts.rows += items.length;
    return {
      items,
      hasMore: rows.length > query.limit,
      schemaVersion: dataset.descriptor.schemaVersion,
      asOf,
      nextCursor: last ? cursorOf({ updatedAt: last.updated_at, pk: last.pk }) : (query.cursor ?? null),
    };
  }

  async #timed<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const late = new AbortController();
    const overdue = new AppError(
      504,
      'query_timeout',
      `The query took longer than ${this.#queryMs} ms and was given up; ask for fewer rows.`,
    );
    const running = Promise.resolve(work(late.signal));
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.counts.overdue += 1;
        reject(overdue);
        late.abort(overdue);
      }, this.#queryMs);
      running.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
