// What the schedule of the policy library reads and writes.
import { and, asc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { Db, Tx } from '../../store/engine/database.ts';
import type { EndingPolicy } from '../port.ts';
import { decideDue } from '../promotion/decide.ts';
import type { PolicyDocument } from '../record.ts';
import { commitDocuments, lockFamily } from './rows.ts';
import { kbDocs } from './schema.ts';

export async function dueIn(
  db: Db,
  now: number,
  limit: number,
): Promise<{ tenantCode: string; id: number }[]> {
  return db
    .select({ tenantCode: kbDocs.tenantCode, id: kbDocs.id })
    .from(kbDocs)
    .where(and(eq(kbDocs.status, 'scheduled'), lte(kbDocs.validFrom, now)))
    .orderBy(asc(kbDocs.validFrom), asc(kbDocs.id))
    .limit(limit);
}

export async function promoteDue(
  tx: Tx,
  tenantCode: string,
  id: number,
  stamp: Stamp,
): Promise<PolicyDocument | null> {
  const promotion = decideDue(await lockFamily(tx, tenantCode, id), stamp);
  if (!promotion) return null;
  return (await commitDocuments(tx, promotion.writes, stamp.now)).get(id) ?? null;
}

export async function endingIn(db: Db, now: number, until: number, limit: number): Promise<EndingPolicy[]> {
  const { tenantCode, id, expiryDate, status, validFrom, validUntil } = kbDocs;
  return db
    .select({ tenantCode, id, expiryDate })
    .from(kbDocs)
    .where(
      and(
        eq(status, 'effective'),
        lte(validFrom, now),
        gt(validUntil, now),
        lt(validUntil, until),
        sql`not exists (select 1 from kb_docs next where next.tenant_code = ${tenantCode}
          and next.policy_id = ${kbDocs.policyId} and next.status = 'scheduled')`,
      ),
    )
    .orderBy(asc(validUntil), asc(tenantCode), asc(id))
    .limit(limit);
}
