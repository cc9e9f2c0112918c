// What headquarters decided on events of sites: what waits for its site, and what the site refused.
import type { SiteDecision } from '../../../common/core/timeline/port.ts';
import { translate } from '../../../common/message.ts';
import { refusalMessages } from '../../../common/uplink/refusal-messages.ts';
import type { ChangeBody, Decision } from '../../../common/uplink/wire.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { Settlement } from '../judgement-plan.ts';
import type { DecisionCounts, DecisionName, DecisionPort, DecisionState, PendingDecision } from '../port.ts';
import type { decisions } from './schema.ts';

type OpenRow = Pick<typeof decisions.$inferSelect, 'id' | 'instance' | 'createdAt' | 'settledAt' | 'note'> & {
  kind: SiteDecision['kind'];
  state: DecisionState | 'unclear';
  told: string | null;
};

export class HubDecisions implements DecisionPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(decided: readonly DecisionName[]): Promise<PendingDecision[]> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<{ id: string; body: string }>(
        `select d.id, d.body from decisions d
           join unnest($1::text[], $2::text[]) as n (tenant, id) on d.tenant_code = n.tenant and d.id = n.id
         where d.state = 'pending'`,
        [decided.map(({ tenantCode }) => tenantCode), decided.map(({ id }) => id)],
      ),
    );
    return rows.map(({ id, body }) => readDecision(id, body));
  }

  async counts(): Promise<Map<string, DecisionCounts>> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<DecisionCounts & { instance: string }>(
        `select instance, sum(waiting)::bigint as waiting, min(oldest) as "oldestWaitingAt",
           sum(refused)::bigint as refused
         from (
           select instance, count(*) as waiting, min(created_at) as oldest, 0 as refused from decisions
             where state = 'pending' group by instance
           union all select instance, 0, null, count(*) from decisions
             where state in ('refused', 'lost') group by instance) c group by instance`,
      ),
    );
    return new Map(rows.map(({ instance, ...counts }) => [instance, counts]));
  }

  async openOf(
    { id, tenantCode }: { id: number; tenantCode: string },
    limit: number,
  ): Promise<SiteDecision[]> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<OpenRow>(
        `(select id, kind, instance, created_at as "createdAt", state, settled_at as "settledAt", note,
              told
            from decisions where event_id = $1 and tenant_code = $2 and state <> 'applied'
            order by change_no limit $3)
         union all
         (select id, 'order', instance, created_at, state, settled_at, reason, told
            from site_orders where event_id = $1 and tenant_code = $2
              and state in ('pending', 'refused', 'unclear')
            order by seq limit $3)
         order by "createdAt" limit $3`,
        [id, tenantCode, limit],
      ),
    );
    return rows.map((row): SiteDecision => ({
      id: row.id,
      kind: row.kind,
      instance: row.instance,
      createdAt: row.createdAt,
      refused:
        row.state === 'pending'
          ? null
          : {
              at: row.settledAt ?? row.createdAt,
              reason: row.note ?? '',
              reasonZh: row.told === null ? null : translate(refusalMessages, JSON.parse(row.told), 'zh'),
            },
      unclear: row.state === 'unclear',
    }));
  }
}

/** What sites answered to decisions, all in one statement. */
export async function settleDecisions(tx: Tx, settled: readonly Settlement[], now: number): Promise<void> {
  if (settled.length === 0) return;
  await tx.client.query(
    `update decisions d set state = s.state, note = s.note, told = s.told, settled_at = $5
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $6::text[])
       as s (tenant, id, state, note, told)
     where d.tenant_code = s.tenant and d.id = s.id`,
    [
      settled.map((s) => s.decision.tenantCode),
      settled.map((s) => s.decision.id),
      settled.map((s) => s.state),
      settled.map((s) => s.note),
      now,
      settled.map((s) => s.told && JSON.stringify(s.told)),
    ],
  );
}

function readDecision(id: string, body: string): PendingDecision {
  const parsed = JSON.parse(body) as ChangeBody & { kind: Decision['kind']; tenant_code: string };
  return {
    decision_id: id,
    kind: parsed.kind,
    tenant_code: parsed.tenant_code,
    event_key: parsed.event_key,
    verdict: parsed.verdict ?? '',
    by: parsed.by ?? '',
    by_kind: parsed.by_kind ?? 'human',
    note: parsed.note ?? null,
    merged_into_key: parsed.merged_into_key ?? null,
    merged_into_instance: parsed.merged_into_instance ?? null,
    judged: parsed.judged ?? null,
    disposition: parsed.disposition ?? null,
    at: parsed.at,
  };
}
