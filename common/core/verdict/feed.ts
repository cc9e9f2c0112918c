import type { Actor } from '../../http/actor.ts';
import type { News } from '../../http/body/waiting-calls.ts';
import { AppError } from '../../http/error.ts';
import type { ChangeBody } from '../../uplink/wire.ts';
import type { VerdictPort } from './port.ts';
import type { VerdictChange } from './record.ts';

/** Entries read for one answer at most, so that a tenant with few of them does not read the whole log. */
const MAX_SCAN = 10_000;
const SCAN_STEP = 500;

export interface FeedEntry extends Omit<VerdictChange, 'body'> {
  kind: 'verdict' | 'correction';
  body: ChangeBody;
}

export interface FeedPage {
  items: FeedEntry[];
  /** Number of the last entry looked at, also when it was another tenant's. */
  nextCursor: number;
  hasMore: boolean;
}

/** Whose entries somebody waits for; null: everybody's. */
export type AwaitedEntries = Actor['tenantCode'];

/** Verdicts and corrections in the order in which they were written. */
export class VerdictFeed {
  #verdicts: Pick<VerdictPort, 'changes' | 'newestChangeNo'>;
  #epoch: () => string;

  constructor(verdicts: Pick<VerdictPort, 'changes' | 'newestChangeNo'>, epoch: () => string) {
    this.#verdicts = verdicts;
    this.#epoch = epoch;
  }

  /**
   * Entries after a cursor that the caller may see. @param tenantCode null: of every tenant
   * @throws AppError 400 cursor_ahead, 409 cursor_epoch_changed
   */
  async since(
    { cursor, limit, epoch }: { cursor: number; limit: number; epoch?: string | undefined },
    tenantCode: Actor['tenantCode'],
  ): Promise<FeedPage> {
    const newest = await this.#verdicts.newestChangeNo();
    this.#check(cursor, newest, epoch);
    const items: FeedEntry[] = [];
    let at = cursor;
    for (let scanned = 0; scanned < MAX_SCAN; scanned += SCAN_STEP) {
      const rows = await this.#verdicts.changes(at, SCAN_STEP);
      for (const { body, ...row } of rows) {
        if (items.length === limit) return { items, nextCursor: at, hasMore: true };
        at = row.changeNo;
        if (isShown(row, tenantCode)) items.push({ ...row, body: JSON.parse(body) as ChangeBody });
      }
      if (rows.length < SCAN_STEP) return { items, nextCursor: at, hasMore: false };
    }
    return { items, nextCursor: at, hasMore: true };
  }

  /** What was written behind a cursor; null: nothing. */
  async news(from: number): Promise<News<AwaitedEntries> | null> {
    const through = await this.#verdicts.newestChangeNo();
    // Whose the entries are each reads for himself: there are few.
    return through > from ? { through, isFor: () => true } : null;
  }

  #check(cursor: number, newest: number, epoch: string | undefined): void {
    if (epoch !== undefined && epoch !== this.#epoch())
      throw new AppError(
        409,
        'cursor_epoch_changed',
        'The store has another epoch than your cursor: it was restored or made anew. Begin again with the ' +
          'cursor 0.',
        { extra: { epoch: this.#epoch() } },
      );
    if (cursor > newest)
      throw new AppError(
        400,
        'cursor_ahead',
        `The cursor is beyond the newest entry, ${newest}; use only cursors that this store gave.`,
        { extra: { head: newest, epoch: this.#epoch() } },
      );
  }
}

/** What a site answers to an order of headquarters is between the two. */
const isShown = (
  row: Omit<VerdictChange, 'body'>,
  tenantCode: string | null,
): row is Omit<FeedEntry, 'body'> =>
  row.kind !== 'decision_refused' && (tenantCode === null || row.tenantCode === tenantCode);
