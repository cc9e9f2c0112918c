import { and, asc, desc, eq, getTableColumns, gte, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { type KnowledgeQuery, statsTimeout } from '../../../common/core/stats/port.ts';
import type { KnowledgeCount } from '../../../common/core/stats/record.ts';
import type { KnowledgeEntry } from '../../../common/core/timeline/port.ts';
import type { KnowledgeKind } from '../../../common/core/timeline/record.ts';
import { AppError } from '../../../common/http/error.ts';
import { DEFAULT_LEVEL, HIGHEST_RANK, rankOf, securityLevels } from '../../../common/policy/level.ts';
import { rankIn } from '../../policy/store/clearance.ts';
import { kbClearance } from '../../policy/store/schema.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import { advanceCounter, lockCounter } from '../../store/engine/counters.ts';
import { type Database, limitStatements, type Tx } from '../../store/engine/database.ts';
import { events, forgottenEvents } from '../../store/schema/tables.ts';
import { decideRevise, decideStoreKnowledge, eventOf, refOf, refsOf } from '../decide.ts';
import type { KnowledgeFilter, KnowledgePage, KnowledgePort } from '../port.ts';
import type {
  KnowledgeMeta,
  KnowledgeRecord,
  KnowledgeRevision,
  ReviseKnowledge,
  ReviseOutcome,
  StoreKnowledge,
  StoreOutcome,
} from '../record.ts';
import { knowledge, knowledgeRevisions } from './schema.ts';

const { refs: _refs, eventId: _eventId, ...recordColumns } = getTableColumns(knowledge);
const { body: _body, ...metaColumns } = recordColumns;
const newestFirst = [desc(knowledge.createdAt), desc(knowledge.id)] as const;

export class HubKnowledge implements KnowledgePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  store(command: StoreKnowledge, stamp: Stamp): Promise<StoreOutcome> {
    return this.#database.transaction((tx) => store(tx, command, stamp));
  }

  revise(command: ReviseKnowledge, stamp: Stamp): Promise<ReviseOutcome> {
    return this.#database.transaction((tx) => revise(tx, command, stamp));
  }

  get(id: number, tenantCode: string, account: string | null): Promise<KnowledgeRecord | null> {
    return this.#database.read(
      async (db) =>
        (
          await db
            .select(recordColumns)
            .from(knowledge)
            .where(and(eq(knowledge.tenantCode, tenantCode), eq(knowledge.id, id), seenBy(account)))
        )[0] ?? null,
    );
  }

  list(filter: KnowledgeFilter, { limit, offset }: KnowledgePage): Promise<KnowledgeRecord[]> {
    return this.#database.read((db) =>
      db
        .select(recordColumns)
        .from(knowledge)
        .where(and(...conditions(filter)))
        .orderBy(...newestFirst)
        .limit(limit)
        .offset(offset),
    );
  }

  listMeta(filter: KnowledgeFilter, { limit, offset }: KnowledgePage): Promise<KnowledgeMeta[]> {
    return this.#database.read((db) =>
      db
        .select(metaColumns)
        .from(knowledge)
        .where(and(...conditions(filter)))
        .orderBy(...newestFirst)
        .limit(limit)
        .offset(offset),
    );
  }

  history(id: number, tenantCode: string, limit: number): Promise<KnowledgeRevision[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(knowledgeRevisions)
        .where(and(eq(knowledgeRevisions.tenantCode, tenantCode), eq(knowledgeRevisions.knowledgeId, id)))
        .orderBy(desc(knowledgeRevisions.version))
        .limit(limit),
    );
  }

  counts(): Promise<{ kind: KnowledgeKind; count: number }[]> {
    return this.#database.read((db) =>
      db
        .select({ kind: knowledge.kind, count: sql<number>`count(*)`.mapWith(Number) })
        .from(knowledge)
        .groupBy(knowledge.kind),
    );
  }

  ofEvent(
    event: { id: number; tenantCode: string },
    { exclude, account }: { exclude: readonly KnowledgeKind[]; account: string | null },
    limit: number,
  ): Promise<KnowledgeEntry[]> {
    return this.#database.read(async (db) => {
      const rows = await db
        .select(metaColumns)
        .from(knowledge)
        .where(
          and(
            eq(knowledge.tenantCode, event.tenantCode),
            eq(knowledge.eventId, event.id),
            without(exclude),
            seenBy(account),
          ),
        )
        .orderBy(asc(knowledge.createdAt), asc(knowledge.id))
        .limit(limit);
      return rows.map(({ id, kind, createdAt, createdBy, title, machineGenerated }) => ({
        id,
        kind,
        at: createdAt,
        by: createdBy,
        title,
        machineGenerated,
      }));
    });
  }

  knowledgeCounts(query: KnowledgeQuery, withinMs: number): Promise<KnowledgeCount[]> {
    return counts(this.#database, query, withinMs);
  }
}

/** The counter is locked first, so that of two that store one key the later sees the earlier. */
async function store(tx: Tx, command: StoreKnowledge, stamp: Stamp): Promise<StoreOutcome> {
  const { tenantCode, srcSystem, srcPk } = command;
  const counter = await lockCounter(tx, 'knowledge');
  const id = counter.value + 1;
  // Stored times ascend with the ids, whatever the wall clock does, so that pages up to an `until` stay as
  // they are.
  const at = Math.max(stamp.now, counter.at);
  const [known = null] = await tx.db
    .select(recordColumns)
    .from(knowledge)
    .where(
      and(
        eq(knowledge.tenantCode, tenantCode),
        eq(knowledge.srcSystem, srcSystem),
        eq(knowledge.srcPk, srcPk),
      ),
    );
  const [original = null] =
    known === null
      ? []
      : await tx.db
          .select()
          .from(knowledgeRevisions)
          .where(
            and(
              eq(knowledgeRevisions.tenantCode, tenantCode),
              eq(knowledgeRevisions.knowledgeId, known.id),
              eq(knowledgeRevisions.version, 1),
            ),
          );
  const maxRank = await maxRankIn(tx, command);
  const seen = { id, known, original, maxRank };
  const { outcome, writes } = decideStoreKnowledge(seen, command, { ...stamp, now: at });
  if (!writes) return outcome;
  const { sourceRef } = writes.knowledge;
  await tx.db.insert(knowledge).values({
    ...writes.knowledge,
    refs: refsOf(sourceRef),
    eventId: await ownEvent(tx, tenantCode, eventOf(sourceRef)),
  });
  await tx.db.insert(knowledgeRevisions).values({ ...writes.revision, tenantCode, knowledgeId: id });
  await appendAudit(tx, writes.audit);
  await advanceCounter(tx, 'knowledge', { value: id, at });
  return outcome;
}

/** The event if it is, or was, the tenant's; a reference may also name something of another system. */
async function ownEvent(tx: Tx, tenantCode: string, id: number | null): Promise<number | null> {
  if (id === null) return null;
  const [kept] = await tx.db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.tenantCode, tenantCode), eq(events.id, id)));
  if (kept) return id;
  const [forgotten] = await tx.db
    .select({ id: forgottenEvents.eventId })
    .from(forgottenEvents)
    .where(and(eq(forgottenEvents.eventId, id), eq(forgottenEvents.tenantCode, tenantCode)))
    .limit(1);
  return forgotten ? id : null;
}

async function revise(tx: Tx, command: ReviseKnowledge, stamp: Stamp): Promise<ReviseOutcome> {
  const { tenantCode, id } = command;
  const own = and(eq(knowledge.tenantCode, tenantCode), eq(knowledge.id, id));
  const [known = null] = await tx.db.select(recordColumns).from(knowledge).where(own).for('update');
  const seen = { known, maxRank: await maxRankIn(tx, command) };
  const { outcome, writes } = decideRevise(seen, command, stamp);
  if (!writes) return outcome;
  const { body, version, updatedAt } = writes.knowledge;
  await tx.db.update(knowledge).set({ body, version, updatedAt }).where(own);
  await tx.db.insert(knowledgeRevisions).values({ ...writes.revision, tenantCode, knowledgeId: id });
  await appendAudit(tx, writes.audit);
  return outcome;
}

function conditions(filter: KnowledgeFilter): (SQL | undefined)[] {
  return [
    filter.tenantCode === null ? undefined : eq(knowledge.tenantCode, filter.tenantCode),
    seenBy(filter.account),
    filter.kind === undefined ? undefined : eq(knowledge.kind, filter.kind),
    without(filter.excludeKinds ?? []),
    filter.srcSystem === undefined ? undefined : eq(knowledge.srcSystem, filter.srcSystem),
    filter.srcPk === undefined ? undefined : eq(knowledge.srcPk, filter.srcPk),
    filter.ref === undefined
      ? undefined
      : sql`${knowledge.refs} @> array[${refOf(filter.ref.key, filter.ref.value)}]::text[]`,
    filter.since === undefined ? undefined : gte(knowledge.createdAt, filter.since),
    filter.until === undefined ? undefined : lt(knowledge.createdAt, filter.until),
  ];
}

/** What the clearance of the account lets be seen, in the tenant of each row; null: everything. */
const seenBy = (account: string | null): SQL | undefined =>
  account === null
    ? undefined
    : sql`array_position(${RANKS}, ${knowledge.securityLevel}) - 1 <= coalesce((select ${kbClearance.level}
        from ${kbClearance} where ${kbClearance.tenantCode} = ${knowledge.tenantCode}
          and ${kbClearance.subject} = ${account}), ${rankOf(DEFAULT_LEVEL)})`;
const RANKS = sql.raw(`array[${securityLevels.map((level) => `'${level}'`).join(', ')}]`);

const maxRankIn = async (
  tx: Tx,
  { tenantCode, account }: { tenantCode: string; account: string | null },
): Promise<number> => (account === null ? HIGHEST_RANK : rankIn(tx.db, tenantCode, account));

const without = (kinds: readonly KnowledgeKind[]): SQL | undefined =>
  kinds.length === 0 ? undefined : notInArray(knowledge.kind, [...kinds]);

/** Ended inside the database too when it takes too long. */
async function counts(
  database: Database,
  { tenantCode, since, until, account }: KnowledgeQuery,
  withinMs: number,
): Promise<{ kind: KnowledgeKind; count: number }[]> {
  try {
    return await database.transaction(async (tx) => {
      await limitStatements(tx, Math.max(1, withinMs));
      return tx.db
        .select({ kind: knowledge.kind, count: sql<number>`count(*)`.mapWith(Number) })
        .from(knowledge)
        .where(
          and(
            eq(knowledge.tenantCode, tenantCode),
            gte(knowledge.createdAt, since),
            lt(knowledge.createdAt, until),
            seenBy(account),
          ),
        )
        .groupBy(knowledge.kind);
    });
  } catch (error) {
    throw error instanceof AppError && error.code === 'store_timeout' ? statsTimeout(error) : error;
  }
}
