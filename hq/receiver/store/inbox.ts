// What waits for the sites. SQL, since a site asks with every poll.
import type { InboxKind, WaitingCounts } from '../../../common/uplink/inbox.ts';
import { Coalescer } from '../../store/engine/coalescer.ts';
import type { Database } from '../../store/engine/database.ts';
import type { InboxEntry, InboxPort } from '../inbox/port.ts';

type Named = Pick<InboxEntry, 'kind' | 'tenantCode' | 'id'>;

/** The site $1 and the names that it continues. */
const NAMES = `names as (select $1::text as name union all select unnest(continues) from sites
  where instance = $1)`;

/**
 * Numbers what is new of the kinds $2, $3 at most, in the order in which it was written. The row of the site
 * is locked: two calls of it never number the same. What one event or task got was written one after the
 * other, under the lock of that, and so is numbered in that order. Without anything new no lock is taken,
 * which would have to wait for the disk.
 */
const NUMBER = `with ${NAMES},
  site as (select instance, inbox_no from sites where instance = $1 and exists (select from inbox
    where no is null and instance in (select name from names) and kind = any($2::text[])) for update),
  fresh as (select instance, seq, row_number() over (order by seq) as n from (select instance, seq from inbox
    where no is null and instance in (select name from names) and kind = any($2::text[])
    order by seq limit $3) f),
  numbered as (update inbox i set no = site.inbox_no + fresh.n from fresh, site
    where i.instance = fresh.instance and i.seq = fresh.seq and i.no is null returning 1)
  update sites s set inbox_no = s.inbox_no + (select count(*) from fresh)
  where s.instance = $1 and exists (select 1 from numbered)`;

/** From the start where the site stands beyond what was ever given: this store was put back from a copy. */
const PAGE = `with ${NAMES},
  place as (select case when $2::bigint > inbox_no then 0 else $2::bigint end as after from sites
    where instance = $1)
  select place.after as "from", i.no, i.kind, i.tenant_code as "tenantCode", i.id from place
  left join lateral (select no, kind, tenant_code, id from inbox
    where instance in (select name from names) and no > place.after order by no limit $3) i on true
  order by i.no`;

const WAITING = `with ${NAMES}
  select kind, count(*) as waiting from inbox
  where instance in (select name from names) and (no is null or no > $2) group by kind`;

/** Rows that are named by kind, tenant and id. */
const NAMED = `(kind, tenant_code, id) in (select * from unnest($1::text[], $2::text[], $3::text[]))`;

/** Of each site $1, the last number given to it, and whether anything stands for it. */
const STANDING = `select s.instance, s.inbox_no as no, exists (select from inbox
    where instance = any(s.instance || s.continues)) as any
  from sites s where s.instance = any($1::text[])`;

/** Sites that one statement is about. */
const MOST_AT_ONCE = 500;

interface Standing {
  no: number;
  any: boolean;
}

type PageRow = { from: number } & (InboxEntry | { no: null });

export class HubInbox implements InboxPort {
  #database: Database;
  /** After a start all sites ask at once, and for most of them nothing stands. */
  #looking: Coalescer<string, Standing | null>;

  constructor(database: Database) {
    this.#database = database;
    this.#looking = new Coalescer((instances) => standingOf(database, instances), MOST_AT_ONCE);
  }

  async page(
    instance: string,
    { after, kinds, limit }: { after: number; kinds: readonly string[]; limit: number },
  ): Promise<{ from: number; entries: InboxEntry[] }> {
    const standing = await this.#looking.add(instance);
    if (standing?.any === false) return { from: after > standing.no ? 0 : after, entries: [] };
    return this.#database.read(async (_db, pool) => {
      await pool.query(NUMBER, [instance, kinds, limit]);
      const { rows } = await pool.query<PageRow>(PAGE, [instance, after, limit]);
      return {
        from: rows[0]?.from ?? 0,
        entries: rows.flatMap(({ from: _from, ...entry }) => (entry.no === null ? [] : [entry])),
      };
    });
  }

  async waiting(instance: string, after: number): Promise<WaitingCounts> {
    if ((await this.#looking.add(instance))?.any === false) return {};
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<{ kind: InboxKind; waiting: number }>(WAITING, [instance, after]),
    );
    return Object.fromEntries(rows.map(({ kind, waiting }) => [kind, waiting]));
  }

  again(entries: readonly Named[]): Promise<void> {
    return this.#change(`update inbox set no = null where ${NAMED}`, entries);
  }

  remove(entries: readonly Named[]): Promise<void> {
    return this.#change(`delete from inbox where ${NAMED}`, entries);
  }

  async #change(statement: string, entries: readonly Named[]): Promise<void> {
    if (entries.length === 0) return;
    const columns = [
      entries.map(({ kind }) => kind),
      entries.map(({ tenantCode }) => tenantCode),
      entries.map(({ id }) => id),
    ];
    await this.#database.read((_db, pool) => pool.query(statement, columns));
  }
}

async function standingOf(database: Database, instances: readonly string[]): Promise<(Standing | null)[]> {
  const { rows } = await database.read((_db, pool) =>
    pool.query<Standing & { instance: string }>(STANDING, [[...new Set(instances)]]),
  );
  const known = new Map(rows.map(({ instance, ...standing }) => [instance, standing]));
  return instances.map((instance) => known.get(instance) ?? null);
}
