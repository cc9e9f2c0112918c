// Which files headquarters reads by itself. Lock order: files, then readings.
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { auditOf } from '../document/audit.ts';
import { decideTake } from '../document/decide.ts';
import type {
  Claim,
  ClaimTimes,
  Reading,
  ReadingOfDocument,
  ReadingPort,
  ReadingProgress,
} from '../reading/port.ts';
import type { PolicyDocument } from '../record.ts';
import { submitChunks } from './chunk.ts';
import { commitDocuments } from './rows.ts';
import { kbDocs, kbReadings } from './schema.ts';

const NONE: Omit<Reading, 'tenantCode' | 'docId' | 'dueAt' | 'updatedAt'> = {
  state: 'waiting',
  attempts: 0,
  lease: null,
  leasedUntil: 0,
  stage: null,
  page: null,
  pages: null,
  notes: [],
};
const pairs = { document: getTableColumns(kbDocs), reading: getTableColumns(kbReadings) };

export class HubReadings implements ReadingPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claim(lease: string, times: ClaimTimes, stamp: Stamp): Promise<Claim | null> {
    return this.#database.transaction((tx) => claim(tx, lease, times, stamp));
  }

  renew(
    { document, lease }: Claim,
    until: number,
    progress: ReadingProgress | null,
    now: number,
  ): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const { rowCount } = await tx.db
        .update(kbReadings)
        .set({ leasedUntil: until, updatedAt: now, ...progress })
        .where(held(document, lease));
      return rowCount === 1;
    });
  }

  end(claim: Claim, ended: Parameters<ReadingPort['end']>[1], stamp: Stamp): Promise<boolean> {
    return this.#database.transaction((tx) => end(tx, claim, ended, stamp));
  }

  release(
    { document, lease, attempts }: Claim,
    { dueAt, counted }: { dueAt: number; counted: boolean },
    stamp: Stamp,
  ): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.db
        .update(kbReadings)
        .set({
          ...{ lease: null, leasedUntil: dueAt, dueAt, stage: null, page: null, pages: null },
          ...{ attempts: counted ? attempts : attempts - 1, updatedAt: stamp.now },
        })
        .where(held(document, lease));
    });
  }

  list(
    { tenantCode, docId }: { tenantCode: string; docId: number | null },
    before: number | null,
    limit: number,
  ): Promise<ReadingOfDocument[]> {
    const open = or(
      and(inArray(kbDocs.status, ['uploaded', 'parsing']), isNotNull(kbDocs.storedAt)),
      inArray(kbReadings.state, ['waiting', 'reading', 'failed']),
    );
    return this.#database.read((db) =>
      db
        .select(pairs)
        .from(kbDocs)
        .leftJoin(
          kbReadings,
          and(eq(kbReadings.tenantCode, kbDocs.tenantCode), eq(kbReadings.docId, kbDocs.id)),
        )
        .where(
          and(
            eq(kbDocs.tenantCode, tenantCode),
            docId === null ? open : eq(kbDocs.id, docId),
            before === null ? undefined : lt(kbDocs.id, before),
          ),
        )
        .orderBy(desc(kbDocs.id))
        .limit(limit),
    );
  }

  ask(
    of: { tenantCode: string; docId: number; actor: string },
    stamp: Stamp,
  ): Promise<ReadingOfDocument | { refused: PolicyDocument } | null> {
    return this.#database.transaction((tx) => ask(tx, of, stamp));
  }
}

const held = ({ tenantCode, id }: PolicyDocument, lease: string): SQL | undefined =>
  and(
    eq(kbReadings.tenantCode, tenantCode),
    eq(kbReadings.docId, id),
    eq(kbReadings.lease, lease),
    eq(kbReadings.state, 'reading'),
  );

async function claim(tx: Tx, lease: string, times: ClaimTimes, stamp: Stamp): Promise<Claim | null> {
  const [found] = await tx.db
    .select(pairs)
    .from(kbDocs)
    .leftJoin(kbReadings, and(eq(kbReadings.tenantCode, kbDocs.tenantCode), eq(kbReadings.docId, kbDocs.id)))
    .where(toRead(times, stamp.now))
    .orderBy(asc(kbDocs.id))
    .limit(1)
    .for('update', { of: kbDocs, skipLocked: true });
  if (!found) return null;
  const { document, reading } = found;
  const written = await commitDocuments(tx, decideTake(document, 'reader', stamp), stamp.now);
  const attempts = (reading?.attempts ?? 0) + 1;
  await put(tx, {
    ...NONE,
    ...{ tenantCode: document.tenantCode, docId: document.id, state: 'reading', attempts, lease },
    ...{ leasedUntil: times.leasedUntil, dueAt: stamp.now, updatedAt: stamp.now },
  });
  return { document: written.get(document.id) ?? document, attempts, lease };
}

/** What nobody reads: it waits, or who read it is gone. */
const toRead = ({ staleBefore, leftBefore }: ClaimTimes, now: number): SQL | undefined =>
  and(
    isNotNull(kbDocs.storedAt),
    or(
      and(
        eq(kbDocs.status, 'uploaded'),
        sql`case when ${kbReadings.dueAt} is null then ${kbDocs.storedAt} <= ${leftBefore}
          else ${kbReadings.dueAt} <= ${now} end`,
      ),
      and(
        eq(kbDocs.status, 'parsing'),
        sql`case when ${kbReadings.state} = 'reading' then ${kbReadings.leasedUntil} <= ${now}
          else ${kbDocs.parsingSince} <= ${staleBefore} end`,
      ),
      and(eq(kbDocs.status, 'review'), eq(kbReadings.state, 'waiting'), lte(kbReadings.dueAt, now)),
    ),
  );

async function end(
  tx: Tx,
  { document, lease }: Claim,
  { state, notes, chunks }: Parameters<ReadingPort['end']>[1],
  stamp: Stamp,
): Promise<boolean> {
  const [now] = await tx.db
    .select(pairs)
    .from(kbDocs)
    .innerJoin(kbReadings, and(eq(kbReadings.tenantCode, kbDocs.tenantCode), eq(kbReadings.docId, kbDocs.id)))
    .where(and(eq(kbDocs.tenantCode, document.tenantCode), eq(kbDocs.id, document.id), held(document, lease)))
    .for('update', { of: kbDocs });
  if (now?.document.status !== 'parsing' || now.document.parsingSince !== document.parsingSince) return false;
  const outcome = await submitChunks(tx, chunks, stamp);
  if (outcome.kind !== 'submitted') return false;
  await tx.db
    .update(kbReadings)
    .set({ state, notes: [...notes], lease: null, leasedUntil: 0, updatedAt: stamp.now })
    .where(held(document, lease));
  return true;
}

async function ask(
  tx: Tx,
  { tenantCode, docId, actor }: { tenantCode: string; docId: number; actor: string },
  stamp: Stamp,
): Promise<ReadingOfDocument | { refused: PolicyDocument } | null> {
  const [found] = await tx.db
    .select(pairs)
    .from(kbDocs)
    .leftJoin(kbReadings, and(eq(kbReadings.tenantCode, kbDocs.tenantCode), eq(kbReadings.docId, kbDocs.id)))
    .where(and(eq(kbDocs.tenantCode, tenantCode), eq(kbDocs.id, docId)))
    .for('update', { of: kbDocs });
  if (!found) return null;
  const { document, reading } = found;
  if (document.storedAt === null || !['uploaded', 'parsing', 'review'].includes(document.status))
    return { refused: document };
  // It is being read already.
  if (document.status === 'parsing') return found;
  if (document.status === 'uploaded' && reading?.state === 'waiting') return found;
  const asked: Reading = { ...NONE, tenantCode, docId, dueAt: stamp.now, updatedAt: stamp.now };
  await put(tx, asked);
  if (document.status === 'review')
    await appendAudit(tx, auditOf(stamp, actor, 'kb.document.read_again', document, document));
  return { document, reading: asked };
}

async function put(tx: Tx, row: Reading): Promise<void> {
  const { tenantCode: _tenant, docId: _doc, ...columns } = row;
  await tx.db
    .insert(kbReadings)
    .values(row)
    .onConflictDoUpdate({ target: [kbReadings.tenantCode, kbReadings.docId], set: columns });
}
