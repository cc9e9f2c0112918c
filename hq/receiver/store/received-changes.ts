// Verdict changes of a site, set by set: read under locks, planned by hq/receiver, written.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { eventKey } from '../../../common/core/event/port.ts';
import type { UplinkedChange } from '../../../common/uplink/change-item.ts';
import type { ChangeBody } from '../../../common/uplink/wire.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import { appendChanges } from '../../store/adapter/verdict/rows.ts';
import { type Counter, lockCounter } from '../../store/engine/counters.ts';
import type { Tx } from '../../store/engine/database.ts';
import { corrections, verdicts } from '../../store/schema/tables.ts';
import type { ChangePlan, SeenForChanges, Settlement } from '../change-plan.ts';
import { planChanges } from '../changes.ts';
import { refusalParam } from '../order/decide.ts';
import { settleDecisions } from './decision.ts';
import { knownEvents } from './known-event.ts';
import { notifyAuthor } from './refusal.ts';
import { decisions } from './schema.ts';

type JudgingItem = Exclude<UplinkedChange, { kind: 'decision_refused' }>;
type Source = Pick<SeenForChanges, 'instance' | 'owned' | 'tenants'>;
type Outcome = Pick<ChangePlan, 'accepted' | 'duplicates' | 'rejected' | 'foreign' | 'refused'>;

/** Locks the events that the items judge, in id order, then the change counter. */
export async function storeChanges(
  tx: Tx,
  source: Source,
  items: readonly UplinkedChange[],
  stamp: Stamp,
): Promise<Outcome> {
  if (items.length === 0) return { accepted: 0, duplicates: 0, rejected: [], foreign: [], refused: [] };
  const judging = items.filter((item) => item.kind !== 'decision_refused');
  const subjects = judging.map((item) => ({ tenant: item.tenant_code, key: item.body.event_key }));
  const judged = await knownEvents(tx, subjects, 'locked');
  const targets = judging.flatMap(({ tenant_code: tenant, body: { merged_into_key: key } }) =>
    key ? [{ tenant, key }] : [],
  );
  const events = new Map([...(await knownEvents(tx, targets, 'as they are')), ...judged]);
  const known = await readVerdicts(
    tx,
    [...judged.values()].map(({ id }) => id),
  );
  const seen: SeenForChanges = {
    ...source,
    events,
    verdicts: known,
    corrections: await knownCorrections(tx, judging),
    decisions: await readDecisions(tx, source.owned, [
      ...items.flatMap((item) => [item.body.decision_id, item.kind === 'correction' ? item.body.id : null]),
      ...[...known.values()].map((verdict) => verdict.decisionId),
    ]),
  };
  const counter = await lockCounter(tx, 'verdict_change');
  const now = Math.max(stamp.now, counter.at);
  const plan = planChanges(seen, items, { now, newId: () => stamp.newId() });
  await write(tx, plan, counter, { now, newId: () => stamp.newId() });
  return plan;
}

async function write(tx: Tx, plan: ChangePlan, counter: Counter, stamp: Stamp): Promise<void> {
  const { now } = stamp;
  const first = await appendChanges(tx, counter, plan.changes, now);
  if (plan.verdicts.length > 0) {
    const from = (column: string) => sql.raw(`excluded.${column}`);
    await tx.db
      .insert(verdicts)
      .values(plan.verdicts)
      .onConflictDoUpdate({
        target: [verdicts.tenantCode, verdicts.eventId],
        set: {
          verdict: from('verdict'),
          by: from('by'),
          byKind: from('by_kind'),
          note: from('note'),
          mergedInto: from('merged_into'),
          mergedIntoKey: from('merged_into_key'),
          mergedIntoInstance: from('merged_into_instance'),
          judged: from('judged'),
          disposition: from('disposition'),
          at: from('at'),
          decisionId: from('decision_id'),
        },
      });
  }
  if (plan.corrections.length > 0) {
    await tx.db
      .insert(corrections)
      .values(plan.corrections.map(({ correction, change }) => ({ ...correction, seq: first + change })));
  }
  for (const { tenantCode, id, change } of plan.placed) {
    await tx.db
      .update(corrections)
      .set({ seq: first + change })
      .where(and(eq(corrections.tenantCode, tenantCode), eq(corrections.id, id)));
  }
  await appendAudit(tx, ...plan.audit);
  await settleDecisions(tx, plan.settled, now);
  await tellGivers(tx, plan.settled, stamp);
}

/**
 * Tells those who gave decisions that the site did not carry out, also when the site had judged first:
 * neither decision stands there as its author wanted.
 */
async function tellGivers(tx: Tx, settled: readonly Settlement[], stamp: Stamp): Promise<void> {
  for (const { decision, state, note, told } of settled) {
    if (state === 'applied') continue;
    const { id, tenantCode, eventId } = decision;
    const [row] = await tx.db
      .select({ body: decisions.body, instance: decisions.instance })
      .from(decisions)
      .where(and(eq(decisions.tenantCode, tenantCode), eq(decisions.id, id)));
    if (!row) continue;
    const { by = '' } = JSON.parse(row.body) as ChangeBody;
    const reason = refusalParam({ told, reason: note ?? '' });
    const params = { site: row.instance, by, event: eventId, reason };
    await notifyAuthor(
      tx,
      { tenantCode, eventId, taskId: null },
      { code: 'refused_decision', params },
      stamp,
    );
  }
}

async function readVerdicts(tx: Tx, eventIds: number[]): Promise<SeenForChanges['verdicts']> {
  if (eventIds.length === 0) return new Map();
  const rows = await tx.db.select().from(verdicts).where(inArray(verdicts.eventId, eventIds));
  return new Map(rows.map((row) => [row.eventId, row]));
}

async function knownCorrections(
  tx: Tx,
  items: readonly JudgingItem[],
): Promise<SeenForChanges['corrections']> {
  const ids = items.flatMap((item) => (item.kind === 'correction' ? [item.body.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .select({ tenant: corrections.tenantCode, id: corrections.id, eventId: corrections.eventId })
    .from(corrections)
    .where(
      and(
        inArray(corrections.tenantCode, [...new Set(items.map((item) => item.tenant_code))]),
        inArray(corrections.id, ids),
      ),
    );
  return new Map(rows.map((row) => [eventKey(row.tenant, row.id), row.eventId]));
}

async function readDecisions(
  tx: Tx,
  owned: ReadonlySet<string>,
  ids: readonly (string | null | undefined)[],
): Promise<SeenForChanges['decisions']> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.db
    .select({
      id: decisions.id,
      tenantCode: decisions.tenantCode,
      eventId: decisions.eventId,
      state: decisions.state,
    })
    .from(decisions)
    .where(and(inArray(decisions.instance, [...owned]), inArray(decisions.id, wanted)));
  return new Map(rows.map((row) => [row.id, row]));
}
