// The events that tasks, groups and messages of a site name, as they are known here.
import type { FeedbackItem } from '../../../../common/uplink/change/feedback.ts';
import type { SubjectItem } from '../../../../common/uplink/change/item.ts';
import type { EventName } from '../../../../common/uplink/change/names.ts';
import { EVENT_OF_ANOTHER, type RejectedItem } from '../../../../common/uplink/wire.ts';
import { keyArrays } from '../../../store/adapter/event-key.ts';
import type { Tx } from '../../../store/engine/database.ts';
import type { FoundEvent, WorkSource } from './context.ts';

/** By what an event is found among those that `eventsOf` returns. */
export const nameKey = (tenant: string, { key, id }: EventName): string =>
  key === null ? `${tenant} #${id}` : `${tenant} =${key}`;

/** What names events of the site. */
export type NamingItem = SubjectItem | FeedbackItem;

const namesOf = (item: NamingItem): EventName[] => {
  if (item.kind === 'feedback') return [item.event];
  if (item.kind === 'task') return item.event ? [item.event] : [];
  return item.group.members.map(({ event }) => event);
};

/** Also the first appearance of a group, which may have been split off from it. */
const lookedUp = (item: NamingItem): EventName[] => {
  const first = item.kind === 'group' ? item.group.first_event : null;
  return first === null || first.key === null ? namesOf(item) : [...namesOf(item), first];
};

export type Named = FoundEvent | { foreign: string };

/** What keeps an item from being taken; null: nothing. */
export function faultOf(
  item: NamingItem,
  events: ReadonlyMap<string, Named>,
): Omit<RejectedItem, 'originId'> | null {
  for (const name of namesOf(item)) {
    const event = events.get(nameKey(item.tenant_code, name));
    const said = name.key === null ? `number ${name.id}` : `the key ${name.key}`;
    if (event === undefined)
      return { error: 'event_unknown', message: `headquarters has no event of this site with ${said}` };
    if ('foreign' in event)
      return {
        error: EVENT_OF_ANOTHER,
        message: `at headquarters the event with ${said} arose at ${event.foreign}`,
      };
  }
  return null;
}

/**
 * The events that the items name, found by key where they have one. Events that are still stored are locked
 * until the transaction ends.
 */
export async function eventsOf(
  tx: Tx,
  { owned }: WorkSource,
  items: readonly NamingItem[],
): Promise<Map<string, Named>> {
  const found = new Map<string, Named>();
  const names = items.flatMap((item) => lookedUp(item).map((name) => ({ tenant: item.tenant_code, name })));
  if (names.length === 0) return found;
  const keyed = names.filter(({ name }) => name.key !== null);
  const bare = names.filter(({ name }) => name.key === null);
  const keys = keyed.map(({ tenant, name }) => ({ tenant, key: name.key ?? '' }));
  const { rows } = await tx.client.query<Row>(BY_KEY, [...keyArrays(keys), keys.map(({ key }) => key)]);
  for (const { tenant, key, id, instance, forgotten } of rows)
    found.set(
      nameKey(tenant, { key, id: 0 }),
      instance !== null && owned.has(instance)
        ? { id, forgotten }
        : { foreign: instance ?? 'headquarters itself' },
    );
  if (bare.length === 0) return found;
  const { rows: others } = await tx.client.query<Row & { origin: number }>(BY_ORIGIN, [
    [...owned],
    bare.map(({ tenant }) => tenant),
    bare.map(({ name }) => name.id),
  ]);
  for (const { tenant, origin, id, forgotten } of others)
    found.set(nameKey(tenant, { key: null, id: origin }), { id, forgotten });
  return found;
}

interface Row {
  tenant: string;
  key: string;
  id: number;
  instance: string | null;
  forgotten: boolean;
}

const BY_KEY = `
  with names as (select distinct * from unnest($1::text[], $2::uuid[], $3::text[]) as n (tenant, hash, key)),
  known as (select k.tenant_code, k.event_id, n.key
    from names n cross join lateral (select o.tenant_code, o.event_id from event_keys o
      where o.tenant_code = n.tenant and o.key_hash = n.hash limit 1) k),
  kept as (select e.tenant_code as tenant, k.key, e.id, e.instance, false as forgotten
    from known k join events e on e.tenant_code = k.tenant_code and e.id = k.event_id
    for key share of e)
  select * from kept
  union all select f.tenant_code, k.key, f.event_id, f.instance, true
    from known k join forgotten_events f on f.tenant_code = k.tenant_code and f.event_id = k.event_id
    where not exists (select 1 from kept e where e.tenant = f.tenant_code and e.id = f.event_id)`;

const BY_ORIGIN = `
  with names as (select distinct i.instance, n.tenant, n.origin from unnest($1::text[]) as i (instance),
    unnest($2::text[], $3::bigint[]) as n (tenant, origin)),
  kept as (select e.tenant_code as tenant, e.origin_id as origin, e.id, false as forgotten
    from names n join events e on e.instance = n.instance and e.origin_id = n.origin
      and e.tenant_code = n.tenant)
  select * from kept
  union all select f.tenant_code, f.origin_id, f.event_id, true from names n join forgotten_events f
    on f.tenant_code = n.tenant and f.instance = n.instance and f.origin_id = n.origin
    where not exists (select 1 from kept k where k.tenant = f.tenant_code and k.origin = f.origin_id)`;
