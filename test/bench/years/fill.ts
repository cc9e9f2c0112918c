// A database of headquarters as it stands after a year, written by Postgres itself: narrow events of 40 sites
// of five tenants, already in the index behind lists and statistics.
import type pg from 'pg';
import { boundOf, type Part, partName } from '../../../hq/store/partition/parts.ts';

export interface Years {
  events: number;
  /** Time that they spread over, up to `now`. */
  days: number;
  /** Of a partition. */
  partEvents: number;
  /** Epoch ms. */
  now: number;
}

const DAY_MS = 86_400_000;
/** One event in so many is judged, and one of a rare type. */
const JUDGED = 17;
const RARE = 499_979;
export const RARE_TYPE = 'tunnel.collapse';
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
const array = (values: readonly string[]): string => `array['${values.join("','")}']`;
const SEVERITIES = array(['low', 'medium', 'high', 'info']);
/** Of an event `g`: its site among 40, its tenant's among eight, its group and its place. */
const SITE = '(g%5)*8+(g/5)%8';
const GROUP =
  `case when g%${RARE} = 0 then 3201+${SITE} else ` +
  `1+(g%5)*640+((g/5)%8)*80+((g/40)%10)*8+((g/400)%4)*2+(case when g%${JUDGED} = 0 then 1 else 0 end) end`;
const PLACE = `1+(${SITE})*10+(g/7)%10`;

const NUMBERED = `
  insert into event_groups (tenant_code, id, type, kind, source, verdict, is_test, judged, severity, instance)
    select 'T-'||t, 1+t*640+s*80+ty*8+sev*2+v, (${array(TYPES)})[ty+1], 'alert', 'video',
      case v when 1 then 'confirmed' end, false, false, (${SEVERITIES})[sev+1], 'site-'||(t*8+s)
    from generate_series(0,4) t, generate_series(0,7) s, generate_series(0,9) ty, generate_series(0,3) sev,
      generate_series(0,1) v
    union all select 'T-'||t, 3201+t*8+s, '${RARE_TYPE}', 'alert', 'video', null, false, false, 'high',
      'site-'||(t*8+s) from generate_series(0,4) t, generate_series(0,7) s;
  insert into event_places (tenant_code, id, site_ref, camera_ref, instance)
    select 'T-'||t, 1+(t*8+s)*10+c, 'ref-'||(t*8+s), 'cam-'||c, 'site-'||(t*8+s)
    from generate_series(0,4) t, generate_series(0,7) s, generate_series(0,9) c;
  select setval(pg_get_serial_sequence('event_groups', 'id'), 4000),
    setval(pg_get_serial_sequence('event_places', 'id'), 1000);
  drop table events_first; drop table event_facts_first;
  alter table event_keys drop constraint event_keys_tenant_code_key_hash_pk`;

/** Fills a database that has its tables and no event. */
export async function fillYears(client: pg.ClientBase, years: Years): Promise<void> {
  const { events, partEvents, now } = years;
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '400MB'");
  await client.query(NUMBERED);
  let from = 1;
  for (; from <= events; from += partEvents) {
    const to = from + partEvents;
    const part = { name: partName('events', from), from: from === 1 ? null : from, to };
    await client.query('begin');
    await fillPart(client, part, { first: from, last: Math.min(to - 1, events) }, years);
    await client.query('commit');
  }
  for (const table of ['events', 'event_facts'])
    await client.query(
      `create table ${partName(table, from)} partition of ${table} ${boundOf({ from, to: null })}`,
    );
  await client.query(
    `alter table event_keys add constraint event_keys_tenant_code_key_hash_pk
       primary key (tenant_code, key_hash);
     update counters set value = ${events}, at = ${now} where name = 'event';
     update event_index_progress set events_upto = ${events};
     update served_progress set events_upto = ${events}`,
  );
}

async function fillPart(
  client: pg.ClientBase,
  part: Part,
  { first, last }: { first: number; last: number },
  { events, days, now }: Years,
): Promise<void> {
  const facts = part.name.replace(/^events/, 'event_facts');
  const at = `${now - days * DAY_MS} + g * ${days * DAY_MS}::bigint / ${events}`;
  const each = `from generate_series(${first}::bigint, ${last}::bigint) g`;
  const counted = (table: string, ms: number, more: string, values: string): string =>
    `insert into ${table} as c select tenant_code, occurred_at - occurred_at % ${ms}, group_id, count(*) ${values}
       from ${facts} group by 1, 2, 3
     on conflict (tenant_code, start_at, group_id) do update set count = c.count + excluded.count ${more}`;
  for (const statement of [
    `create table ${part.name} (like events including storage)`,
    `insert into ${part.name} (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
       received_at, is_test, instance, origin_id, origin_received_at, doc)
     select g, 'T-'||g%5, 'k'||g,
       case when g%${RARE} = 0 then '${RARE_TYPE}' else (${array(TYPES)})[(g/40)%10+1] end, 'alert', 'video',
       case when g%${RARE} = 0 then 'high' else (${SEVERITIES})[(g/400)%4+1] end, ${at}, ${at}, false,
       'site-'||(${SITE}), g, ${at}, '{"siteRef":"ref-'||(${SITE})||'","cameraRef":"cam-'||(g/7)%10||'"}'
     ${each}`,
    `create table ${facts} (like event_facts including storage)`,
    `insert into ${facts} (event_id, occurred_at, group_id, place_id, tenant_code)
     select g, ${at}, ${GROUP}, ${PLACE}, 'T-'||g%5 ${each}`,
    // Attached, they get the indexes of the whole, each made at once.
    `alter table ${part.name} alter column tenant_code set statistics 0`,
    `alter table ${facts} alter column tenant_code set statistics 0`,
    `alter table events attach partition ${part.name} ${boundOf(part)}`,
    `alter table event_facts attach partition ${facts} ${boundOf(part)}`,
    `insert into event_keys select g, encode(substr(sha256(convert_to('k'||g, 'UTF8')), 1, 16), 'hex')::uuid,
       'T-'||g%5 ${each}`,
    `insert into verdicts (event_id, tenant_code, verdict, by, by_kind, at)
     select g, 'T-'||g%5, 'confirmed', 'duty', 'human', ${now} ${each}
       where g%${JUDGED} = 0 and g%${RARE} <> 0`,
    counted('event_days', DAY_MS, ', last_id = excluded.last_id', ', min(event_id), max(event_id)'),
    counted('event_hours', DAY_MS / 24, '', ''),
  ])
    await client.query(statement);
}
