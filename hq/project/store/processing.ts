// Landed rows made into the project model, in the transaction that lands them.
import type { Stamp } from '../../../common/clock.ts';
import type { LandedRow, Processor, PullMode } from '../../dataset/record.ts';
import type { BusinessEvent } from '../../integration/business-event.ts';
import { emitBusinessEvent } from '../../integration/store/business-event.ts';
import type { Tx } from '../../store/engine/database.ts';
import { computeMilestones, computeNcrs, computeProgress, updateDraggedMilestones } from './figures.ts';
import { WRITERS, type Written } from './rows.ts';

export interface Processing {
  tenantCode: string;
  processor: Processor;
  mode: PullMode;
  /** Business events are told for rows whose update time lies after it; null: for none. */
  loudAfter: string | null;
  stamp: Stamp;
}

/**
 * Processes rows that have just landed. During a first landing or a recompute the figures of projects stand
 * still until `computeAll`: a mean over half of the nodes would be wrong, and computing it page by page would
 * take longer than the rows.
 */
export async function processRows(tx: Tx, what: Processing, rows: readonly LandedRow[]): Promise<void> {
  const { tenantCode, processor, mode, loudAfter, stamp } = what;
  const write = processor === 'none' ? undefined : WRITERS[processor];
  if (!write || rows.length === 0) return;
  await lockModel(tx, tenantCode);
  const written = await write(tx, { tenantCode, now: stamp.now, landing: mode === 'landing' }, rows);
  const loud = loudAfter === null ? [] : rows.filter((row) => row.updatedAt > loudAfter);
  if (loud.length > 0) {
    const ids = new Set(loud.map(({ pk }) => pk));
    await tell(
      tx,
      what,
      written.told.filter(({ pk }) => ids.has(pk)).map(({ event }) => event),
    );
    if (mode === 'recompute') await drags(tx, what, loud);
  }
  if (mode !== 'increment') return;
  await compute(tx, tenantCode, processor, written);
  await drags(tx, what, rows);
}

/** What happens in a project that is deleted is nobody's business any more. */
async function tell(
  tx: Tx,
  { tenantCode, stamp }: Processing,
  events: readonly BusinessEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const gone = await deletedProjects(tx, tenantCode, [
    ...new Set(events.map((event) => String(event.project_id))),
  ]);
  for (const event of events)
    if (!gone.has(String(event.project_id)))
      await emitBusinessEvent(tx, { tenantCode, event, at: stamp.now, newId: () => stamp.newId() });
}

/** Those that the source of projects has deleted. One that it never had may be known to another system. */
async function deletedProjects(tx: Tx, tenantCode: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.client.query<{ pk: string }>(
    `select r.pk from source_datasets d join dataset_rows r using (tenant_code, source_id, dataset)
     where d.tenant_code = $1 and d.processor = 'projects' and r.pk = any($2::text[]) and r.deleted`,
    [tenantCode, ids],
  );
  return new Set(rows.map(({ pk }) => pk));
}

/** What late orders do to their milestones, when one or the other has changed. */
async function drags(tx: Tx, what: Processing, rows: readonly LandedRow[]): Promise<void> {
  const { processor, tenantCode } = what;
  if (processor !== 'purchase_orders' && processor !== 'milestones') return;
  const ids = rows.map(({ pk }) => pk);
  const events = await updateDraggedMilestones(
    tx,
    tenantCode,
    processor === 'milestones' ? { milestones: ids } : { orders: ids },
  );
  await tell(tx, what, events);
}

async function compute(
  tx: Tx,
  tenantCode: string,
  processor: Processor,
  { projects }: Written,
): Promise<void> {
  const ids = [...projects];
  if (ids.length === 0) return;
  if (processor === 'projects' || processor === 'wbs_nodes') await computeProgress(tx, tenantCode, ids);
  if (processor === 'projects' || processor === 'milestones') await computeMilestones(tx, tenantCode, ids);
  if (processor === 'projects' || processor === 'ncrs') await computeNcrs(tx, tenantCode, ids);
}

/** Computes what a processor feeds for every project of the tenant, and tells nothing. */
export async function computeAll(tx: Tx, tenantCode: string, processor: Processor): Promise<void> {
  if (processor === 'none') return;
  await lockModel(tx, tenantCode);
  if (processor === 'projects' || processor === 'wbs_nodes') await computeProgress(tx, tenantCode, null);
  if (processor === 'projects' || processor === 'milestones') await computeMilestones(tx, tenantCode, null);
  if (processor === 'projects' || processor === 'ncrs') await computeNcrs(tx, tenantCode, null);
  if (processor === 'milestones' || processor === 'purchase_orders')
    await updateDraggedMilestones(tx, tenantCode, null);
}

/**
 * One writer a tenant: two sources that feed it would each compute figures without the rows that the other
 * has not committed yet.
 */
async function lockModel(tx: Tx, tenantCode: string): Promise<void> {
  await tx.client.query(`select pg_advisory_xact_lock(hashtextextended('project model ' || $1, 0))`, [
    tenantCode,
  ]);
}

/** Deletes what a processor has made for the tenant, and computes the figures without it. */
export async function dropModel(tx: Tx, tenantCode: string, processor: Processor): Promise<void> {
  if (processor === 'none') return;
  // A processor and its table have the same name.
  const tables = processor === 'milestones' ? [processor, 'milestone_statuses'] : [processor];
  for (const table of tables)
    await tx.client.query(`delete from ${table} where tenant_code = $1`, [tenantCode]);
  await computeAll(tx, tenantCode, processor);
}
