// Members of a group that comes up in parts. They are kept aside until the last part is there, so that the
// group shows one state of the site at a time: until then it stays as it was, or is not there.
import { and, eq, sql } from 'drizzle-orm';
import type { IncidentMember } from '../../../../../common/core/incident/record.ts';
import { events } from '../../../../store/schema/tables.ts';
import { type GroupParts, siteGroupParts as parts } from '../../schema.ts';
import type { StoreContext } from '../context.ts';

/** Rows of one INSERT. */
const CHUNK = 2_000;

interface OneGroup {
  tenantCode: string;
  id: number;
}

const ofGroup = ({ tenantCode, id }: OneGroup) =>
  and(eq(parts.tenantCode, tenantCode), eq(parts.incidentId, id));

/** What the parts are of which this item is one. @param since on which change the item stands; null: none */
export function partsOf({ known }: Pick<StoreContext, 'known'>, since: number | null): GroupParts {
  return since === null ? 'whole' : (known?.parts ?? 'added');
}

/** Drops the parts that are kept of an earlier state of the group. */
export async function dropParts({ tx, known }: StoreContext, group: OneGroup): Promise<void> {
  if (known?.parts) await tx.db.delete(parts).where(ofGroup(group));
}

/** Keeps the members of one part. One that is there already, since an answer was lost, is replaced. */
export async function keepPart({ tx }: StoreContext, rows: readonly IncidentMember[]): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK)
    await tx.db
      .insert(parts)
      .values(rows.slice(from, from + CHUNK))
      .onConflictDoUpdate({
        target: [parts.tenantCode, parts.incidentId, parts.eventId],
        set: { live: sql`excluded.live`, addedAt: sql`excluded.added_at` },
      });
}

/** Reads and drops what is kept of the group, without members whose events were deleted here meanwhile. */
export async function takeParts(taking: StoreContext, group: OneGroup): Promise<IncidentMember[]> {
  if (!taking.known?.parts) return [];
  const rows = await taking.tx.db
    .select({ part: parts })
    .from(parts)
    .innerJoin(events, and(eq(events.tenantCode, parts.tenantCode), eq(events.id, parts.eventId)))
    .where(ofGroup(group))
    .for('key share', { of: events });
  await dropParts(taking, group);
  return rows.map(({ part }) => part);
}
