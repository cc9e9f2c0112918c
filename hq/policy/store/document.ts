import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { Database, Db, Tx } from '../../store/engine/database.ts';
import type {
  EmbedChunks,
  EmbedResult,
  RegisterDocument,
  RegisterOutcome,
  SetState,
  StateOutcome,
  StoredOriginal,
  SubmitChunks,
  SubmitOutcome,
} from '../command.ts';
import { decideRegister, decideState, decideStored, decideTake } from '../document/decide.ts';
import type { DocumentFilter, DocumentPort, EndingPolicy, Visibility } from '../port.ts';
import type { ChunkText, DocumentState, PolicyDocument } from '../record.ts';
import { readChunks, submitChunks } from './chunk.ts';
import { embedChunks } from './embedded-chunk.ts';
import { commitDocuments, lockFamily, takeNumbers, withNumber } from './rows.ts';
import { dueIn, endingIn, promoteDue } from './schedule.ts';
import { kbDocs, kbReadings } from './schema.ts';

export class HubPolicyDocuments implements DocumentPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  register(command: RegisterDocument, stamp: Stamp): Promise<RegisterOutcome> {
    return this.#database.transaction((tx) => register(tx, command, stamp));
  }

  get(id: number, visibility: Visibility): Promise<PolicyDocument | null> {
    return this.#database.read(
      async (db) =>
        (await visible(db, and(...visibleTo(visibility), eq(kbDocs.id, id)), visibility, 1))[0] ?? null,
    );
  }

  list(
    filter: DocumentFilter,
    visibility: Visibility,
    before: number | null,
    limit: number,
  ): Promise<PolicyDocument[]> {
    return this.#database.read((db) =>
      visible(
        db,
        and(...conditions(filter, visibility), before === null ? undefined : lt(kbDocs.id, before)),
        visibility,
        limit,
      ),
    );
  }

  chunks(id: number, visibility: Visibility): Promise<ChunkText[]> {
    return this.#database.read((db) => readChunks(db, id, visibility));
  }

  stored(original: StoredOriginal, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction((tx) => stored(tx, original, stamp));
  }

  pending(tenants: readonly string[] | null, staleBefore: number, limit: number): Promise<PolicyDocument[]> {
    return this.#database.read((db) =>
      db.select().from(kbDocs).where(waiting(tenants, staleBefore)).orderBy(asc(kbDocs.id)).limit(limit),
    );
  }

  take(
    tenants: readonly string[] | null,
    staleBefore: number,
    limit: number,
    { actor, stamp }: { actor: string; stamp: Stamp },
  ): Promise<PolicyDocument[]> {
    return this.#database.transaction(async (tx) => {
      const found = await tx.db
        .select()
        .from(kbDocs)
        .where(waiting(tenants, staleBefore))
        .orderBy(asc(kbDocs.id))
        .limit(limit)
        .for('update', { skipLocked: true });
      if (found.length === 0) return [];
      const writes = found.map((document) => decideTake(document, actor, stamp));
      const written = await commitDocuments(
        tx,
        {
          documents: writes.flatMap(({ documents }) => documents),
          audit: writes.flatMap(({ audit }) => audit),
        },
        stamp.now,
      );
      return [...written.values()];
    });
  }

  submitChunks(command: SubmitChunks, stamp: Stamp): Promise<SubmitOutcome> {
    return this.#database.transaction(async (tx) => {
      const outcome = await submitChunks(tx, command, stamp);
      // Another program has read it: what headquarters knows of its own reading says nothing any more.
      if (outcome.kind === 'submitted')
        await tx.db
          .delete(kbReadings)
          .where(and(eq(kbReadings.tenantCode, command.tenantCode), eq(kbReadings.docId, command.docId)));
      return outcome;
    });
  }

  embed(command: EmbedChunks, stamp: Stamp): Promise<EmbedResult[]> {
    return this.#database.transaction((tx) => embedChunks(tx, command, stamp));
  }

  setState(command: SetState, stamp: Stamp): Promise<StateOutcome> {
    return this.#database.transaction((tx) => setState(tx, command, stamp));
  }

  due(now: number, limit: number): Promise<{ tenantCode: string; id: number }[]> {
    return this.#database.read((db) => dueIn(db, now, limit));
  }

  promoteDue(tenantCode: string, id: number, stamp: Stamp): Promise<PolicyDocument | null> {
    return this.#database.transaction((tx) => promoteDue(tx, tenantCode, id, stamp));
  }

  ending(now: number, until: number, limit: number): Promise<EndingPolicy[]> {
    return this.#database.read((db) => endingIn(db, now, until, limit));
  }

  counts(): Promise<{ status: DocumentState; count: number }[]> {
    return this.#database.read((db) =>
      db
        .select({ status: kbDocs.status, count: sql<number>`count(*)`.mapWith(Number) })
        .from(kbDocs)
        .groupBy(kbDocs.status),
    );
  }
}

/** The counter is locked first, so that of two registrations of one source key the later sees the earlier. */
async function register(tx: Tx, command: RegisterDocument, stamp: Stamp): Promise<RegisterOutcome> {
  const { tenantCode, srcKey, supersedes } = command;
  const id = await takeNumbers(tx, 'kb_doc', 1, stamp.now);
  const [known = null] = await tx.db
    .select()
    .from(kbDocs)
    .where(and(eq(kbDocs.tenantCode, tenantCode), eq(kbDocs.srcKey, srcKey)));
  const [parent = null] =
    supersedes === null
      ? []
      : await tx.db
          .select()
          .from(kbDocs)
          .where(and(eq(kbDocs.tenantCode, tenantCode), eq(kbDocs.id, supersedes)));
  const { outcome, writes } = decideRegister({ id, known, parent }, command, stamp);
  return writes ? withNumber(outcome, await commitDocuments(tx, writes, stamp.now)) : outcome;
}

async function stored(tx: Tx, original: StoredOriginal, stamp: Stamp): Promise<boolean> {
  const [document] = await tx.db
    .select()
    .from(kbDocs)
    .where(and(eq(kbDocs.tenantCode, original.tenantCode), eq(kbDocs.id, original.docId)))
    .for('update');
  if (!document || document.sha256 !== original.sha256) return false;
  if (document.storedAt === null)
    await commitDocuments(tx, decideStored(document, original.actor, stamp), stamp.now);
  return true;
}

async function setState(tx: Tx, command: SetState, stamp: Stamp): Promise<StateOutcome> {
  const { outcome, writes } = decideState(
    await lockFamily(tx, command.tenantCode, command.docId),
    command,
    stamp,
  );
  return writes ? withNumber(outcome, await commitDocuments(tx, writes, stamp.now)) : outcome;
}

const visibleTo = ({ tenantCode, maxRank }: Visibility): SQL[] => [
  eq(kbDocs.tenantCode, tenantCode),
  lte(kbDocs.level, maxRank),
];

function conditions(filter: DocumentFilter, visibility: Visibility): (SQL | undefined)[] {
  return [
    ...visibleTo(visibility),
    filter.states === undefined ? undefined : inArray(kbDocs.status, [...filter.states]),
    filter.srcSystem === undefined ? undefined : eq(kbDocs.srcSystem, filter.srcSystem),
    filter.srcKeyPrefix === undefined
      ? undefined
      : sql`starts_with(${kbDocs.srcKey}, ${filter.srcKeyPrefix})`,
    filter.text === undefined
      ? undefined
      : sql`position(lower(${filter.text}) in
          lower(${kbDocs.title} || ' ' || coalesce(${kbDocs.docNo}, ''))) > 0`,
  ];
}

/** Links to files that the reader may not know of are left out in the same statement. */
async function visible(
  db: Db,
  where: SQL | undefined,
  visibility: Visibility,
  limit: number,
): Promise<PolicyDocument[]> {
  const seen = (link: SQL) =>
    sql<number | null>`(select linked.id from kb_docs linked where linked.tenant_code = ${kbDocs}.tenant_code
      and linked.id = ${link} and linked.level <= ${visibility.maxRank})`.mapWith(Number);
  return db
    .select({
      ...getTableColumns(kbDocs),
      supersedes: seen(sql`${kbDocs}.supersedes`),
      supersededBy: seen(sql`${kbDocs}.superseded_by`),
    })
    .from(kbDocs)
    .where(where)
    .orderBy(desc(kbDocs.id))
    .limit(limit);
}

/** Only files whose original has come: there is nothing to cut of the others. */
function waiting(tenants: readonly string[] | null, staleBefore: number): SQL | undefined {
  return and(
    inArray(kbDocs.status, ['uploaded', 'parsing']),
    isNotNull(kbDocs.storedAt),
    or(isNull(kbDocs.parsingSince), lte(kbDocs.parsingSince, staleBefore)),
    tenants === null ? undefined : inArray(kbDocs.tenantCode, [...tenants]),
  );
}
