// What headquarters decided on events of sites: what waits for its site, and what the site refused.
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { SiteDecision } from '../../../common/core/timeline/port.ts';
import type { ChangeBody, Decision } from '../../../common/uplink/wire.ts';
import type { DecisionCounts, PendingDecision, ReceiverPort } from '../port.ts';
import type { Database } from '../../store/engine/database.ts';
import { decisions } from './schema.ts';

/**
 * Those of the site $1 and of the names that it continues; $2 is what it understands. What follows on the
 * same event waits with the one before it.
 */
const PENDING = `with names as (select $1::text as name union all select unnest(continues) from sites
  where instance = $1),
  open as not materialized (select * from decisions where state = 'pending' and instance in (select name
    from names)),
  counted as (select count(*) as waiting, count(*) filter (where needs is not null
    and needs <> all($2::text[])) as held from open)
  select c.waiting, c.held, d.id, d.body from counted c
  left join lateral (select id, body, change_no from open d where not exists (select 1 from open before
    where before.event_id = d.event_id
    and before.change_no <= d.change_no and before.needs is not null and before.needs <> all($2::text[]))
      order by change_no limit $3) d on true
  order by d.change_no`;

interface PendingRow {
  waiting: number;
  held: number;
  id: string | null;
  body: string | null;
}

export function createDecisions(
  database: Database,
): Pick<ReceiverPort, 'pendingDecisions' | 'decisionCounts' | 'openOf'> {
  return {
    pendingDecisions: async (instance, features, limit) => {
      const { rows } = await database.read((_db, pool) =>
        pool.query<PendingRow>(PENDING, [instance, features, limit]),
      );
      return {
        waiting: rows[0]?.waiting ?? 0,
        held: rows[0]?.held ?? 0,
        decisions: rows.flatMap(({ id, body }) =>
          id === null || body === null ? [] : [readDecision(id, body)],
        ),
      };
    },
    decisionCounts: async () => {
      const { rows } = await database.read((_db, pool) =>
        pool.query<DecisionCounts & { instance: string }>(
          `select instance, count(*) filter (where state = 'pending') as waiting,
           min(created_at) filter (where state = 'pending') as "oldestWaitingAt",
           count(*) filter (where state = 'refused') as refused
         from decisions where state in ('pending', 'refused') group by instance`,
        ),
      );
      return new Map(rows.map(({ instance, ...counts }) => [instance, counts]));
    },
    openOf: async ({ id, tenantCode }, limit) => {
      const rows = await database.read((db) =>
        db
          .select()
          .from(decisions)
          .where(
            and(
              eq(decisions.eventId, id),
              eq(decisions.tenantCode, tenantCode),
              inArray(decisions.state, ['pending', 'refused']),
            ),
          )
          .orderBy(asc(decisions.changeNo))
          .limit(limit),
      );
      return rows.map((row): SiteDecision => ({
        id: row.id,
        kind: row.kind,
        instance: row.instance,
        createdAt: row.createdAt,
        refused:
          row.state === 'refused' ? { at: row.settledAt ?? row.createdAt, reason: row.note ?? '' } : null,
      }));
    },
  };
}

function readDecision(id: string, body: string): PendingDecision {
  const parsed = JSON.parse(body) as ChangeBody & { kind: Decision['kind']; tenant_code: string };
  const { merged_into_instance: from } = parsed;
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
    ...(from === undefined ? {} : { merged_into_instance: from }),
    judged: parsed.judged ?? null,
    disposition: parsed.disposition ?? null,
    at: parsed.at,
  };
}
