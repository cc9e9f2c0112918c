import { createHash } from 'node:crypto';
import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { SiteRequest } from '../../../common/uplink/request/schema.ts';
import { sites } from '../../receiver/store/schema.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { afterMismatch, isOpen, takesAnswer } from '../request/decide.ts';
import type { FileState, RequestBounds, RequestPort } from '../request/port.ts';
import type { AskedSite, NewRequest, RequestRow } from '../request/record.ts';
import { siteRequestPieces, siteRequests } from './request-schema.ts';

const HOUR_MS = 3_600_000;
/** Rows that one round deletes at most. */
const DELETED_AT_ONCE = 500;

type Row = typeof siteRequests.$inferSelect;

export class HubSiteRequests implements RequestPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async site(instance: string): Promise<AskedSite | null> {
    const [found] = await this.#database.read((db) =>
      db
        .select({ tenants: sites.tenants, report: sites.report })
        .from(sites)
        .where(and(eq(sites.instance, instance), isNull(sites.removedAt))),
    );
    return found ? { tenants: found.tenants, care: found.report?.remote_care ?? null } : null;
  }

  ask(
    request: NewRequest,
    bounds: RequestBounds,
    { actor, stamp }: { actor: string; stamp: Stamp },
  ): Promise<'asked' | 'too_many_open' | 'too_many_asked'> {
    return this.#database.transaction(async (tx) => {
      const { instance } = request;
      // Two that ask at a time are counted one after the other.
      await tx.db.select().from(sites).where(eq(sites.instance, instance)).for('update');
      const over = await this.#over(tx, instance, bounds, stamp.now);
      if (over !== null) return over;
      await forgetOldest(tx, instance, bounds.kept);
      await tx.db.insert(siteRequests).values({ ...request, state: 'open', held: 0, fileWhole: false });
      await appendAudit(tx, entryOf(request, 'site.asked', { actor, stamp }));
      return 'asked';
    });
  }

  async #over(
    tx: Tx,
    instance: string,
    bounds: RequestBounds,
    now: number,
  ): Promise<'too_many_open' | 'too_many_asked' | null> {
    const ofSite = eq(siteRequests.instance, instance);
    const waits = and(ofSite, eq(siteRequests.state, 'open'), gt(siteRequests.expiresAt, now));
    const [open] = await tx.db.select({ n: count() }).from(siteRequests).where(waits);
    if ((open?.n ?? 0) >= bounds.open) return 'too_many_open';
    const lately = and(ofSite, gte(siteRequests.askedAt, now - HOUR_MS));
    const [asked] = await tx.db.select({ n: count() }).from(siteRequests).where(lately);
    return (asked?.n ?? 0) >= bounds.hour ? 'too_many_asked' : null;
  }

  list(instance: string, limit: number): Promise<RequestRow[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(siteRequests)
        .where(eq(siteRequests.instance, instance))
        .orderBy(desc(siteRequests.askedAt), desc(siteRequests.id))
        .limit(limit),
    );
  }

  async get(instance: string, id: string): Promise<RequestRow | null> {
    const [row] = await this.#database.read((db) =>
      db
        .select()
        .from(siteRequests)
        .where(and(eq(siteRequests.instance, instance), eq(siteRequests.id, id))),
    );
    return row ?? null;
  }

  file(row: RequestRow, by: { actor: string; stamp: Stamp }): Promise<Buffer | null> {
    return this.#database.transaction(async (tx) => {
      const pieces = row.fileWhole ? await piecesOf(tx, row) : [];
      if (pieces.length === 0) return null;
      await appendAudit(tx, entryOf(row, 'site.answer_read', by));
      return Buffer.concat(pieces);
    });
  }

  withdraw(instance: string, id: string, by: { actor: string; stamp: Stamp }): Promise<RequestRow | null> {
    return this.#database.transaction(async (tx) => {
      const named = and(eq(siteRequests.instance, instance), eq(siteRequests.id, id));
      // Locked: it goes down, or is answered, either before this or after it.
      const [row] = await tx.db.select().from(siteRequests).where(named).for('update');
      if (!row || !isOpen(row, by.stamp.now)) return row ?? null;
      await tx.db.update(siteRequests).set({ state: 'withdrawn' }).where(named);
      await appendAudit(tx, entryOf(row, 'site.request_withdrawn', by));
      return { ...row, state: 'withdrawn' };
    });
  }

  async goingDown(
    entries: readonly { tenantCode: string; id: string }[],
    now: number,
  ): Promise<ReadonlyMap<string, SiteRequest>> {
    if (entries.length === 0) return new Map();
    return this.#database.transaction(async (tx) => {
      const ids = entries.map(({ id }) => id);
      const named = and(inArray(siteRequests.id, ids), eq(siteRequests.state, 'open'));
      await tx.db
        .update(siteRequests)
        .set({ state: 'expired', answeredAt: now })
        .where(and(named, lte(siteRequests.expiresAt, now)));
      const rows = await tx.db
        .update(siteRequests)
        .set({ sentAt: sql`coalesce(${siteRequests.sentAt}, ${now})` })
        .where(and(named, gt(siteRequests.expiresAt, now)))
        .returning();
      return new Map(rows.map((row) => [row.id, onTheWire(row)]));
    });
  }

  async fileState(id: string, owned: readonly string[]): Promise<FileState | null> {
    const [row] = await this.#database.read((db) =>
      db
        .select()
        .from(siteRequests)
        .where(and(eq(siteRequests.id, id), inArray(siteRequests.instance, [...owned]))),
    );
    if (!row) return null;
    if (takesAnswer(row)) return { kind: 'unanswered' };
    if (!row.file) return { kind: 'unwanted' };
    const { size, sha256 } = row.file;
    return { kind: row.fileWhole ? 'whole' : 'coming', held: row.held, size, sha256 };
  }

  addPiece(
    id: string,
    offset: number,
    bytes: Buffer,
  ): Promise<{ held: number; done: boolean; mismatch: boolean }> {
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.db.select().from(siteRequests).where(eq(siteRequests.id, id)).for('update');
      if (!row?.file || row.fileWhole || row.held !== offset || offset + bytes.length > row.file.size)
        return { held: row?.held ?? 0, done: row?.fileWhole ?? false, mismatch: false };
      const { tenantCode } = row;
      if (bytes.length > 0)
        await tx.db.insert(siteRequestPieces).values({ tenantCode, requestId: id, startAt: offset, bytes });
      const held = offset + bytes.length;
      const whole = held === row.file.size;
      const mismatch = whole && digestOf(await piecesOf(tx, row)) !== row.file.sha256;
      if (mismatch) await dropPieces(tx, [id]);
      const set = mismatch ? afterMismatch(row) : { held, fileWhole: whole };
      await tx.db.update(siteRequests).set(set).where(eq(siteRequests.id, id));
      return { held: mismatch ? 0 : held, done: whole && !mismatch, mismatch };
    });
  }

  sweep(now: number, askedBefore: number): Promise<number> {
    return this.#database.transaction(async (tx) => {
      const unsent = and(eq(siteRequests.state, 'open'), isNull(siteRequests.sentAt));
      await tx.db
        .update(siteRequests)
        .set({ state: 'expired', answeredAt: now })
        .where(and(unsent, lte(siteRequests.expiresAt, now)));
      const old = await tx.db
        .select({ id: siteRequests.id })
        .from(siteRequests)
        .where(lt(siteRequests.askedAt, askedBefore))
        .limit(DELETED_AT_ONCE);
      return forget(
        tx,
        old.map(({ id }) => id),
      );
    });
  }
}

/** Makes room for one more. */
async function forgetOldest(tx: Tx, instance: string, kept: number): Promise<void> {
  const old = await tx.db
    .select({ id: siteRequests.id })
    .from(siteRequests)
    .where(eq(siteRequests.instance, instance))
    .orderBy(desc(siteRequests.askedAt), desc(siteRequests.id))
    .offset(kept - 1);
  await forget(
    tx,
    old.map(({ id }) => id),
  );
}

async function forget(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  await dropPieces(tx, ids);
  const { rowCount } = await tx.db.delete(siteRequests).where(inArray(siteRequests.id, [...ids]));
  return rowCount ?? 0;
}

const dropPieces = (tx: Tx, ids: readonly string[]) =>
  tx.db.delete(siteRequestPieces).where(inArray(siteRequestPieces.requestId, [...ids]));

async function piecesOf(tx: Tx, { tenantCode, id }: Pick<Row, 'tenantCode' | 'id'>): Promise<Buffer[]> {
  const { bytes, startAt, requestId } = siteRequestPieces;
  const rows = await tx.db
    .select({ bytes })
    .from(siteRequestPieces)
    .where(and(eq(siteRequestPieces.tenantCode, tenantCode), eq(requestId, id)))
    .orderBy(asc(startAt));
  return rows.map((row) => row.bytes);
}

function digestOf(pieces: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  return digest.digest('hex');
}

const onTheWire = ({ id, tenantCode, what, asked, askedBy, askedAt, expiresAt }: Row): SiteRequest => ({
  ...{ request_id: id, tenant_code: tenantCode, what, ...asked },
  ...{ asked_by: askedBy, asked_at: askedAt, expires_at: expiresAt },
});

const entryOf = (
  { id, tenantCode, instance, what, asked }: NewRequest,
  action: string,
  { actor, stamp }: { actor: string; stamp: Stamp },
) => ({
  ...{ id: stamp.newId(), at: stamp.now, actor, action },
  subject: `site:${instance}`,
  tenantCode,
  before: null,
  after: { request: id, what, ...(asked.device === null ? {} : { device: asked.device }) },
});
