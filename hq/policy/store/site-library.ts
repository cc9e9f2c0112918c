// The library as it goes down to sites. SQL, for the pages of files and their clauses are read by position.
import type { PoolClient } from 'pg';
import {
  type ClausesAnswer,
  type FilesAnswer,
  libraryDigest,
  type LibraryFile,
  type LibraryItem,
  type LibrarySynonyms,
  MAX_LIBRARY_FILES,
} from '../../../common/uplink/library.ts';
import type { Database } from '../../store/engine/database.ts';
import type { ClausesQuery, FilesQuery, LibraryReach, SiteLibraryPort } from '../site/port.ts';
import type { SiteLibrary } from '../site/record.ts';

/** Clauses of a file that are read at a time. */
const SLICE = 200;
/** The version of a library of which nothing goes to the site. */
const NOTHING = '-';

/** Where the library of each tenant stands: what was never reviewed does not count. */
const HEADS = `select tenant_code, max(no) as head from (
    select tenant_code, max(change_no) as no from kb_docs where status not in ('uploaded', 'parsing')
      group by tenant_code
    union all
    select tenant_code, max(change_no) from kb_changes where doc_id is null group by tenant_code
  ) h group by tenant_code`;

const RENEW = `with heads as (${HEADS}),
  wanted as (
    select s.instance, h.tenant_code,
      case when $1::int is null then '${NOTHING}'
        else h.head || '.' || coalesce(k.revision, 0) || '.' || $1::int end as version
    from sites s join heads h on h.tenant_code = any(s.tenants)
    left join kb_synonyms k on k.tenant_code = h.tenant_code
    where s.removed_at is null)
  insert into kb_site_libraries (tenant_code, instance, id, version, state, since)
  select tenant_code, instance, instance || ' ' || tenant_code || ' ' || version, version, 'waiting', $2
  from wanted
  on conflict (tenant_code, instance) do update
    set id = excluded.id, version = excluded.version, since = excluded.since,
      state = case when kb_site_libraries.held = excluded.version then 'here' else 'waiting' end
    where kb_site_libraries.version <> excluded.version`;

/** A site that may not have the tenant any more is to have nothing of it. */
const TAKE_BACK = `update kb_site_libraries l
  set id = l.instance || ' ' || l.tenant_code || ' ${NOTHING}', version = '${NOTHING}', state = 'waiting',
    since = $1
  where version <> '${NOTHING}' and exists (select 1 from sites s where s.instance = l.instance
    and s.removed_at is null and not l.tenant_code = any(s.tenants))`;

const FORGET = `delete from kb_site_libraries l where not exists (select 1 from sites s
  where s.instance = l.instance and s.removed_at is null)`;

const FILE = `d.id, d.policy_id, d.title, d.doc_no, d.version, d.src_system, d.src_key, d.level,
  d.effective_date, d.expiry_date, d.valid_from, d.valid_until, d.status = 'scheduled' as scheduled,
  (select c.id from kb_chunks c where c.tenant_code = d.tenant_code and c.doc_id = d.id and c.seq = 1)
    as text_no,
  d.chunk_count as clauses, d.chunks_sha256 as text_sha256`;
const IN_FORCE = `d.status in ('effective', 'scheduled') and d.level <= $2 and d.chunk_count > 0`;

/** With how many files the version that the site is to have holds: the last part of its name is a rank. */
const LIST = `with asked as (
    select *, nullif(split_part(version, '.', 3), '')::int as rank from kb_site_libraries
    where ($1::text[] is null or tenant_code = any($1)) and ($2::text is null or instance = $2)),
  due as (
    select a.tenant_code, a.rank, count(*)::int as files
    from (select distinct tenant_code, rank from asked where rank is not null) a
    join kb_docs d on d.tenant_code = a.tenant_code and d.level <= a.rank and d.chunk_count > 0
      and d.status in ('effective', 'scheduled')
    group by a.tenant_code, a.rank)
  select a.tenant_code as "tenantCode", instance, state, version, since, held, held_at as "heldAt",
    a.files, clauses, coalesce(d.files, 0) as "filesDue", reason, told
  from asked a left join due d on d.tenant_code = a.tenant_code and d.rank = a.rank
  order by a.tenant_code collate "C", instance collate "C"`;

type FileRow = LibraryFile & { change_no: number; status: string };
type ClauseRow = ClausesAnswer['texts'][number]['clauses'][number];

export class HubSiteLibraries implements SiteLibraryPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  renew(maxRank: number | null, now: number): Promise<number> {
    return this.#database.transaction(async ({ client }) => {
      const renewed = await client.query(RENEW, [maxRank, now]);
      const taken = await client.query(TAKE_BACK, [now]);
      await client.query(FORGET);
      return (renewed.rowCount ?? 0) + (taken.rowCount ?? 0);
    });
  }

  async open(named: readonly { tenantCode: string; id: string }[]): Promise<Map<string, LibraryItem>> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<LibraryItem & { id: string }>(
        `select id, tenant_code, version from kb_site_libraries
         where state = 'waiting' and (tenant_code, id) in (select * from unnest($1::text[], $2::text[]))`,
        [named.map(({ tenantCode }) => tenantCode), named.map(({ id }) => id)],
      ),
    );
    return new Map(rows.map(({ id, ...item }) => [id, item]));
  }

  files(reach: LibraryReach, query: FilesQuery): Promise<Omit<FilesAnswer, 'protocol' | 'epoch'>> {
    return this.#snapshot((client) => filesOf(client, reach, query));
  }

  clauses(reach: LibraryReach, query: ClausesQuery): Promise<Pick<ClausesAnswer, 'texts' | 'gone'>> {
    return this.#snapshot((client) => clausesOf(client, reach, query));
  }

  async list({ tenants, instance }: Parameters<SiteLibraryPort['list']>[0]): Promise<SiteLibrary[]> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<SiteLibrary & { told: string | null }>(LIST, [tenants, instance ?? null]),
    );
    return rows.map((row) => ({ ...row, told: row.told && (JSON.parse(row.told) as SiteLibrary['told']) }));
  }

  #snapshot<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#database.committed(async (client) => {
      await client.query('set transaction isolation level repeatable read, read only');
      return body(client);
    });
  }
}

async function filesOf(
  client: PoolClient,
  { tenantCode, maxRank }: LibraryReach,
  { after, known, whole }: FilesQuery,
): Promise<Omit<FilesAnswer, 'protocol' | 'epoch'>> {
  const synonyms = await synonymsOf(client, tenantCode);
  if (maxRank === null) return { ...nothing(after > 0 || !whole), synonyms };
  const { head, gone } = await standingOf(client, tenantCode);
  const restart = (after > 0 || !whole) && (!known || after > head || gone > after);
  const all = whole || restart;
  const { rows } = await client.query<FileRow>(
    `select d.change_no, d.status, ${FILE} from kb_docs d
     where d.tenant_code = $1 and d.change_no > $3
       and ${all ? IN_FORCE : `d.status not in ('uploaded', 'parsing') and $2::int is not null`}
     order by d.change_no limit $4`,
    [tenantCode, maxRank, restart ? 0 : after, MAX_LIBRARY_FILES + 1],
  );
  const page = rows.slice(0, MAX_LIBRARY_FILES);
  const more = rows.length > page.length;
  const shown = page.filter((row) => isShown(row, maxRank));
  return {
    version: `${head}.${synonyms.revision}.${maxRank}`,
    restart,
    through: more ? (page.at(-1)?.change_no ?? after) : head,
    more,
    files: shown.map(fileOf),
    gone: all ? [] : page.filter((row) => !isShown(row, maxRank)).map(({ id }) => id),
    synonyms,
    digest: more ? null : await digestOf(client, tenantCode, maxRank),
  };
}

const nothing = (restart: boolean): Omit<FilesAnswer, 'protocol' | 'epoch' | 'synonyms'> => ({
  ...{ version: NOTHING, restart, through: 0, more: false, files: [], gone: [] },
  digest: libraryDigest([]),
});

const isShown = ({ status, level, text_no }: FileRow, maxRank: number): boolean =>
  (status === 'effective' || status === 'scheduled') && level <= maxRank && text_no !== null;

function fileOf({ change_no: _changeNo, status: _status, ...file }: FileRow): LibraryFile {
  return file;
}

/** Where the library stands, and where all of the tenant was deleted last. */
async function standingOf(client: PoolClient, tenantCode: string): Promise<{ head: number; gone: number }> {
  const { rows } = await client.query<{ head: number | null; gone: number | null }>(
    `select (select head from (${HEADS}) h where h.tenant_code = $1) as head,
       (select max(change_no) from kb_changes where tenant_code = $1 and doc_id is null) as gone`,
    [tenantCode],
  );
  return { head: rows[0]?.head ?? 0, gone: rows[0]?.gone ?? 0 };
}

async function digestOf(client: PoolClient, tenantCode: string, maxRank: number): Promise<string> {
  const { rows } = await client.query<LibraryFile>(
    `select ${FILE} from kb_docs d where d.tenant_code = $1 and ${IN_FORCE}`,
    [tenantCode, maxRank],
  );
  return libraryDigest(rows);
}

async function synonymsOf(client: PoolClient, tenantCode: string): Promise<LibrarySynonyms> {
  const { rows } = await client.query<{ revision: number; shipped: boolean; groups: string }>(
    'select revision, shipped, groups from kb_synonyms where tenant_code = $1 and revision > 0',
    [tenantCode],
  );
  const [row] = rows;
  if (!row) return { revision: 0, shipped: true, groups: [] };
  return { ...row, groups: JSON.parse(row.groups) as string[][] };
}

async function clausesOf(
  client: PoolClient,
  { tenantCode, maxRank }: LibraryReach,
  { bytes, files }: ClausesQuery,
): Promise<Pick<ClausesAnswer, 'texts' | 'gone'>> {
  const { rows } = await client.query<LibraryFile>(
    `select ${FILE} from kb_docs d where d.tenant_code = $1 and d.id = any($3::bigint[]) and ${IN_FORCE}`,
    [tenantCode, maxRank ?? -1, files.map(({ id }) => id)],
  );
  const shown = new Map(rows.map((row) => [row.id, row]));
  const texts: ClausesAnswer['texts'] = [];
  let room = bytes;
  for (const { id, text_no, after } of files) {
    if (shown.get(id)?.text_no !== text_no || room <= 0) continue;
    const clauses = await upTo(client, { tenantCode, id, after }, room);
    room -= sizeOf(clauses);
    texts.push({ id, text_no, clauses });
  }
  const gone = files.filter(({ id, text_no }) => shown.get(id)?.text_no !== text_no).map(({ id }) => id);
  return { texts, gone };
}

/** The next clauses of a file; one at least. */
async function upTo(
  client: PoolClient,
  { tenantCode, id, after }: { tenantCode: string; id: number; after: number },
  room: number,
): Promise<ClauseRow[]> {
  const found: ClauseRow[] = [];
  for (let [at, left] = [after, room]; ;) {
    const { rows } = await client.query<ClauseRow>(
      `select id, seq, clause_path as path, page, text from kb_chunks
       where tenant_code = $1 and doc_id = $2 and seq > $3 order by seq limit $4`,
      [tenantCode, id, at, SLICE],
    );
    for (const row of rows) {
      left -= sizeOf([row]);
      if (left < 0 && found.length > 0) return found;
      found.push(row);
    }
    if (rows.length < SLICE || left <= 0) return found;
    at = rows.at(-1)?.seq ?? at;
  }
}

/** Bytes of the texts, with what stands around each. */
const sizeOf = (clauses: readonly ClauseRow[]): number =>
  clauses.reduce((sum, { text, path }) => sum + Buffer.byteLength(text) + (path?.length ?? 0) + 60, 0);
