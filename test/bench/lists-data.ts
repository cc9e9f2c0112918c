// A store of either program as it stands after a season: events of many cameras over 93 days, some judged,
// with tasks and incident groups.
import { stampOf, systemClock } from '../../common/clock.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import { severities } from '../../common/core/event/schema.ts';
import type { Stores } from '../../common/core/stores.ts';
import { verdictValues } from '../../common/core/verdict/schema.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { inTurn } from './in-turn.ts';

export const TENANT = 'T-BENCH';
export const DAYS = 93;
const DAY_MS = 86_400_000;
const OTHERS = 4;
const TYPES = [
  'vehicle.intrusion',
  'person.fall',
  'helmet.missing',
  'fire.smoke',
  'crane.overload',
  'gas.leak',
  'water.level',
  'fence.climb',
  'dust.high',
  'person.crowd',
];
const RARE = 'tunnel.collapse';
/** Filters that many, few and no events match. */
export const RARE_TYPE = RARE;
export const RARE_TENANT = 'T-RARE';
export const RARE_SEVERITY = 'critical';
const SEVERITIES = severities.filter((severity) => severity !== RARE_SEVERITY);
const BATCH = 500;

export interface Season {
  events: number;
  verdicts: number;
  tasks: number;
  incidents: number;
}

export const ONE_MILLION: Season = { events: 1_000_000, verdicts: 60_000, tasks: 20_000, incidents: 20_000 };
/** Fills an empty store. @param now epoch ms, the end of the season */
export async function fillSeason(stores: Stores, season: Season, now: number): Promise<void> {
  const random = seededRandom(7);
  const start = now - DAYS * DAY_MS + 60_000;
  for (let first = 0; first < season.events; first += BATCH * 4) {
    await Promise.all(
      [0, 1, 2, 3].map((part) => {
        const from = first + part * BATCH;
        const batch = Array.from(
          { length: Math.max(0, Math.min(BATCH, season.events - from)) },
          (_, index) => {
            const number = from + index;
            return event(number, start + Math.floor((number / season.events) * (now - start)), random);
          },
        );
        return stores.events.ingest(batch, now);
      }),
    );
  }
  const stamp = stampOf(systemClock);
  await inTurn(season.verdicts, async (index) => {
    const eventId = 1 + Math.floor((index / season.verdicts) * season.events);
    const verdict = verdictValues[index % 50 === 0 ? 2 : index % 3 === 0 ? 1 : 0] ?? 'confirmed';
    const mergedInto = verdict === 'merged' ? Math.max(1, eventId - 1) : null;
    await stores.verdicts.write(
      {
        eventId,
        tenantCode: null,
        verdict,
        by: 'agent',
        byKind: 'machine',
        note: 'seen',
        mergedInto,
        judged: null,
        disposition: null,
        decisionId: null,
        actor: 'bench',
      },
      stamp,
    );
  });
  await inTurn(season.tasks, async (index) => {
    const eventId = 1 + Math.floor((index / season.tasks) * season.events);
    const found = await stores.events.get(eventId);
    if (!found) throw new Error(`event ${eventId} was not stored`);
    await stores.tasks.create(
      {
        tenantCode: found.tenantCode,
        type: 'disposal',
        eventId,
        title: 'See to it',
        severity: 'high',
        assigneeOrg: null,
        dueAt: now,
        suppressed: false,
        body: {},
        by: 'agent',
        actor: 'bench',
      },
      { ...stamp, now: found.occurredAt ?? now },
    );
  });
  await inTurn(season.incidents, async (index) => {
    const first = 1 + Math.floor((index / season.incidents) * season.events);
    const found = await stores.events.get(first);
    if (!found) throw new Error(`event ${first} was not stored`);
    await stores.incidents.upsert(
      {
        tenantCode: found.tenantCode,
        sourceKey: `bench-${index}`,
        layer: 'L1',
        siteRef: 'site-1',
        pointRef: null,
        title: null,
        eventIds: [first],
        actor: 'bench',
      },
      stamp,
    );
  });
}

function event(number: number, occurredAt: number, random: Random): NewEvent {
  const tenant =
    number % 200_000 === 77 ? RARE_TENANT : random.chance(0.6) ? TENANT : `T-${random.whole(1, OTHERS)}`;
  const camera = random.whole(1, 40);
  const doc = {
    siteRef: `site-${1 + (camera % 8)}`,
    cameraRef: `cam-${camera}`,
    cameraName: `Camera ${camera}, upper mast`,
    title: 'Something was seen',
    localAlertNo: `A-${number}`,
    ...(random.chance(0.5)
      ? {
          judged: {
            type: random.pick(['vehicle', 'person', 'smoke']),
            confidence: 0.9,
            by: 'edge-model',
            modelVersion: '2.4.1',
          },
        }
      : {}),
    payload: { boxes: [[412, 220, 96, 64]], track: number, note: 'x'.repeat(250) },
  };
  return {
    tenantCode: tenant,
    idempotencyKey: `season-${number}`,
    type: number % 100_000 === 99 ? RARE : random.pick(TYPES),
    kind: random.chance(0.8) ? 'alert' : 'observation',
    source: random.chance(0.9) ? 'video' : 'quick_photo',
    severity: number % 50_000 === 123 ? RARE_SEVERITY : random.pick(SEVERITIES),
    occurredAt: occurredAt - random.whole(0, 3_600_000),
    isTest: random.chance(0.02),
    nodeKey: null,
    doc: JSON.stringify(doc),
  };
}

/** What ten sites have brought up beside what headquarters has of its own: tasks with entries, and groups. */
export interface Mirrored {
  tasks: number;
  groups: number;
}

const SITES = 10;
/** Of the tasks and groups of all sites this one has a hundredth. */
export const RARE_SITE = 'site-rare';

/**
 * Lays tasks and groups of sites beside those of a season, as rows: each on an event that the season gave
 * neither a task nor a group. The planner keeps what statistics it has.
 * @param query runs a statement at the database of headquarters
 */
export async function fillMirrored(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  { events, tasks: ownTasks, incidents }: Season,
  { tasks, groups }: Mirrored,
): Promise<void> {
  // Events are those after each fifth one, which the season left alone.
  const source = `select n, e.*, case when n % 100 = 7 then '${RARE_SITE}' else 'site-' || n % ${SITES} end as site
    from generate_series(1, $1::bigint) n
    join events e on e.id = 2 + (n * 5) % ($2::bigint / 5 * 5 - 5)`;
  await query(
    `insert into tasks (id, tenant_code, instance, origin_id, type, state, event_id, title, severity, due_at,
       suppressed, body, created_by, created_at, updated_at, entry_count, step_count, note_count, refusal_count)
     select $3 + n, tenant_code, site, n, case when n % 9 = 0 then 'review' else 'disposal' end,
       (array['open', 'taken_over', 'completed', 'closed', 'closed', 'closed'])[1 + n % 6], id, 'See to it',
       'high', occurred_at + 1800000, false, '{}', 'agent', occurred_at, occurred_at, 2, 1, 0, 0
     from (${source}) s`,
    [tasks, events, ownTasks],
  );
  await query(
    `insert into task_entries (task_id, seq, tenant_code, kind, at, doc)
     select t.id, seq, t.tenant_code, 'history', t.created_at,
       '{"action":"created","from":null,"to":"open","by":"agent","note":null,"resultCode":null}'
     from tasks t, generate_series(1, 2) seq where t.instance is not null`,
    [],
  );
  await query(
    `insert into incidents (id, tenant_code, instance, origin_id, source_key, layer, site_ref, state, first_at,
       last_at, event_types, sources, severity, member_count, test_member_count, is_test, first_locked,
       cleared_count, created_at, updated_at)
     select $3 + n, tenant_code, site, n, 'bench-' || site || n, 'L1', 'site-1', 'open', occurred_at, occurred_at,
       '[]', '[]', 'high', 1, 0, false, false, 0, occurred_at, occurred_at
     from (${source}) s`,
    [groups, events, incidents],
  );
  await query(
    `insert into incident_members (incident_id, event_id, tenant_code, layer, at, type, source, is_test, live,
       added_at)
     select $3 + n, id, tenant_code, 'L1', occurred_at, type, source, is_test, true, occurred_at
     from (${source}) s`,
    [groups, events, incidents],
  );
  await query(
    `update counters set value = case name when 'task' then $1::bigint else $2::bigint end
     where name in ('task', 'incident')`,
    [ownTasks + tasks, incidents + groups],
  );
}
