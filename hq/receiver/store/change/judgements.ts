// Judgements of a site, set by set: read under locks, planned by hq/receiver, written.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import { eventKey } from '../../../../common/core/event/port.ts';
import type { JudgementItem } from '../../../../common/uplink/change/judgement.ts';
import type { ChangeBody } from '../../../../common/uplink/wire.ts';
import { appendAudit } from '../../../store/adapter/audit.ts';
import { appendChanges } from '../../../store/adapter/verdict/rows.ts';
import { type Counter, lockCounter } from '../../../store/engine/counters.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { corrections, verdicts } from '../../../store/schema/tables.ts';
import type { JudgementPlan, KnownEvent, SeenForJudgements, Settlement } from '../../judgement-plan.ts';
import { planJudgements } from '../../judgements.ts';
import { refusalParam } from '../../order/decide.ts';
import { settleDecisions } from '../decision.ts';
import { knownEvents } from '../known-event.ts';
import { notifyAuthor } from '../refusal.ts';
import { decisions } from '../schema.ts';

type JudgingItem = Exclude<JudgementItem, { kind: 'decision_refused' }>;
type Source = Pick<SeenForJudgements, 'instance' | 'owned' | 'tenants'>;
type Outcome = Pick<JudgementPlan, 'accepted' | 'duplicates' | 'rejected' | 'foreign' | 'refused'>;

const judgingOf = (items: readonly JudgementItem[]): JudgingItem[] =>
  items.filter((item) => item.kind !== 'decision_refused');

/** Locks the events that the items judge, in id order. @returns them by `eventKey` */
export function lockJudged(tx: Tx, items: readonly JudgementItem[]): Promise<Map<string, KnownEvent>> {
  const subjects = judgingOf(items).map((item) => ({ tenant: item.tenant_code, key: item.body.event_key }));
  return knownEvents(tx, subjects, 'locked');
}

/** Locks the change counter. @param judged the events that the items judge, locked */
export async function storeJudgements(
  tx: Tx,
  source: Source,
  items: readonly JudgementItem[],
  judged: ReadonlyMap<string, KnownEvent>,
  stamp: Stamp,
): Promise<Outcome> {
  const judging = judgingOf(items);
  const targets = judging.flatMap(({ tenant_code: tenant, body: { merged_into_key: key } }) =>
    key ? [{ tenant, key }] : [],
  );
  const events = new Map([...(await knownEvents(tx, targets, 'as they are')), ...judged]);
  const known = await readVerdicts(
    tx,
    [...judged.values()].map(({ id }) => id),
  );
  const seen: SeenForJudgements = {
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
  const plan = planJudgements(seen, items, { now, newId: () => stamp.newId() });
  await write(tx, plan, counter, { now, newId: () => stamp.newId() });
  return plan;
}

async function write(tx: Tx, plan: JudgementPlan, counter: Counter, stamp: Stamp): Promise<void> {
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

async function readVerdicts(tx: Tx, eventIds: number[]): Promise<SeenForJudgements['verdicts']> {
  if (eventIds.length === 0) return new Map();
  const rows = await tx.db.select().from(verdicts).where(inArray(verdicts.eventId, eventIds));
  return new Map(rows.map((row) => [row.eventId, row]));
}

async function knownCorrections(
  tx: Tx,
  items: readonly JudgingItem[],
): Promise<SeenForJudgements['corrections']> {
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
): Promise<SeenForJudgements['decisions']> {
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
