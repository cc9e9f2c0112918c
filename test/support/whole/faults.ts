// Both ends held against each other and against what was told: what is lost, there twice, out of order, or
// not the same.
import { isDeepStrictEqual } from 'node:util';
import { channelNames } from '../../../common/uplink/wire.ts';
import { TENANT } from '../deployment.ts';
import { listAll } from '../ledger.ts';
import type { Program } from '../process.ts';
import { expectStatus, jsonOf } from '../request.ts';
import { type Acts, digest } from './acts.ts';
import { cameraFaults, type Ends, markFaults, type Order, type Task } from './marks.ts';

interface Group {
  id: number;
  originId: number | null;
  instance: string | null;
  mergedInto: number | null;
  splitFrom: number | null;
  firstAppearance: { eventId: number } | null;
  members: { eventId: number }[];
}
interface Notification {
  eventId: number | null;
  state: string;
  channel: string;
}

const get = async <T>(program: Program, path: string): Promise<T> =>
  jsonOf<T>(expectStatus(await program.api('GET', path), 200));

async function all<T>(program: Program, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null = null; ;) {
    const page: { items: T[]; nextCursor: string | null } = await get(
      program,
      `${path}${path.includes('?') ? '&' : '?'}limit=500${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    found.push(...page.items);
    if ((cursor = page.nextCursor) === null) return found;
  }
}

/** A few at a time: a program lets one address open so many connections. */
async function each<T, R>(rows: readonly T[], read: (row: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < rows.length; at += 16)
    found.push(...(await Promise.all(rows.slice(at, at + 16).map(read))));
  return found;
}

const tasksOf = async (program: Program): Promise<Task[]> => {
  const rows = await all<{ id: number }>(program, `/api/core/objects/tasks?tenant_code=${TENANT}`);
  return each(rows, ({ id }) => get<Task>(program, `/api/core/objects/tasks/${id}`));
};
const groupsOf = async (program: Program): Promise<Group[]> => {
  const path = `/api/core/incidents?include_test=true&tenant_code=${TENANT}`;
  const rows = [
    ...(await all<{ id: number }>(program, path)),
    ...(await all<{ id: number }>(program, `${path}&state=closed`)),
  ];
  return each([...new Set(rows.map(({ id }) => id))], (id) =>
    get<Group>(program, `/api/core/incidents/${id}?limit=1000`),
  );
};

/** Empty: nothing waits, nothing is lost or there twice, and both ends are equal. */
export async function faultsOf(ends: Ends): Promise<string[]> {
  const waiting = await waitingOf(ends);
  if (waiting.length > 0) return waiting;
  const { site, hub, acts } = ends;
  const [here, there] = await Promise.all([site, hub].map((one) => listAll((m, p) => one.api(m, p))));
  const keyHere = new Map(here?.map(({ id, idempotencyKey }) => [id, idempotencyKey]));
  const keyThere = new Map(there?.map(({ id, idempotencyKey }) => [id, idempotencyKey]));
  const view = (rows: typeof here) =>
    rows?.map(({ idempotencyKey, originId, verdict }) => `${originId} ${idempotencyKey} ${verdict}`) ?? [];
  const faults = differences('events', view(here), view(there));
  const [tasksHere, tasksThere] = await Promise.all([tasksOf(site), tasksOf(hub)]);
  faults.push(
    ...differences(
      'tasks',
      tasksHere.map((task) => plainTask(task, task.id, keyHere)),
      tasksThere.map((task) => plainTask(task, task.originId, keyThere)),
    ),
    ...markFaults(acts, tasksHere, await all<Order>(hub, '/api/core/uplink/orders')),
    ...cameraFaults(ends, tasksHere, here ?? []),
    ...groupFaults(await groupsOf(site), await groupsOf(hub), keyHere, keyThere),
    ...(await pictureFaults(hub, acts, keyThere)),
    ...(await notificationFaults(ends, here ?? [])),
    ...acts.oddities,
  );
  return faults;
}

async function waitingOf({ site, hub }: Ends): Promise<string[]> {
  const { channels } = await get<{
    channels: { name: string; cursor: number; head: number; parked: number }[];
  }>(site, '/api/core/uplink/status');
  const waiting = channels
    .filter(({ cursor, head, parked }) => cursor !== head || parked > 0)
    .map((channel) => JSON.stringify(channel));
  if (channels.length !== channelNames.length) waiting.push('a channel is missing');
  const { sites } = await get<{ sites: { decisions: { waiting: number } }[] }>(
    hub,
    '/api/core/uplink/status',
  );
  if (sites.some(({ decisions }) => decisions.waiting > 0)) waiting.push('decisions wait');
  const pending = await all<Order>(hub, '/api/core/uplink/orders?state=pending');
  if (pending.length > 0) waiting.push(`orders wait: ${pending.map(({ id }) => id).join()}`);
  return waiting;
}

/** What is at the site and what is at headquarters, in the same form and order. */
function differences(what: string, here: readonly unknown[], there: readonly unknown[]): string[] {
  const text = (one: unknown): string => JSON.stringify(one);
  const [left, right] = [here.map(text).sort(), there.map(text).sort()];
  if (isDeepStrictEqual(left, right)) return [];
  const only = (some: string[], others: string[]): string[] => some.filter((one) => !others.includes(one));
  return [
    `${what}: ${left.length} at the site, ${right.length} at headquarters`,
    ...only(left, right).map((one) => `${what}, only at the site: ${one}`),
    ...only(right, left).map((one) => `${what}, only at headquarters: ${one}`),
  ];
}

function plainTask(task: Task, originId: number | null, keys: ReadonlyMap<number, string>): object {
  const { id: _id, instance: _instance, eventId, ...rest } = task;
  const {
    updatedAt: _at,
    orders: _orders,
    overdue: _overdue,
    ...own
  } = rest as typeof rest & Record<string, unknown>;
  return { ...own, originId, event: eventId === null ? null : keys.get(eventId) };
}

function groupFaults(
  here: readonly Group[],
  there: readonly Group[],
  keyHere: ReadonlyMap<number, string>,
  keyThere: ReadonlyMap<number, string>,
): string[] {
  const origins = new Map(there.map(({ id, originId }) => [id, originId]));
  const plain = (
    group: Group,
    idOf: (id: number) => number | null | undefined,
    keys: ReadonlyMap<number, string>,
  ): object => {
    const { id, instance: _instance, mergedInto, splitFrom, firstAppearance, members, ...rest } = group;
    const {
      updatedAt: _at,
      wentTo: _to,
      otherLayers: _others,
      orders: _orders,
      ...own
    } = rest as typeof rest & Record<string, unknown>;
    return {
      ...own,
      originId: idOf(id),
      mergedInto: mergedInto === null ? null : idOf(mergedInto),
      splitFrom: splitFrom === null ? null : idOf(splitFrom),
      first: firstAppearance && keys.get(firstAppearance.eventId),
      members: members.map(({ eventId }) => keys.get(eventId)).sort(),
    };
  };
  return differences(
    'groups',
    here.map((group) => plain(group, (id) => id, keyHere)),
    there.map((group) => plain(group, (id) => origins.get(id), keyThere)),
  );
}

async function pictureFaults(
  hub: Program,
  { events }: Acts,
  keys: ReadonlyMap<number, string>,
): Promise<string[]> {
  const idOf = new Map([...keys].map(([id, key]) => [key, id]));
  const faults: string[] = [];
  for (const { key, picture } of events) {
    const answer = await fetch(`${hub.url}/api/core/events/${idOf.get(key)}/evidence/a.jpg`, {
      headers: { 'x-admin-key': hub.adminKey },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200 || digest(bytes) !== digest(picture))
      faults.push(`the picture of ${key} is ${answer.status} at headquarters`);
  }
  return faults;
}

/** One message of each event, but for those that were false alarms before the agent came to them. */
async function notificationFaults(
  { site, robot }: Ends,
  events: readonly { id: number; verdict: string | null }[],
): Promise<string[]> {
  const rows = await all<Notification>(site, '/api/core/notifications');
  const chat = rows.filter(({ channel }) => channel === 'chat');
  const faults = chat
    .filter(({ state }) => state !== 'sent')
    .map(({ eventId, state }) => `the notification of ${eventId} is ${state}`);
  const told = new Set(chat.map(({ eventId }) => eventId));
  for (const { id, verdict } of events)
    if (!told.has(id) && verdict !== 'false_alarm') faults.push(`nobody is told of event ${id}`);
  const heard = Map.groupBy(robot.heard, ({ body }) => body.toString());
  if (heard.size !== told.size || chat.length !== told.size)
    faults.push(`of ${chat.length} messages on ${told.size} events the robot heard ${heard.size}`);
  for (const [body, times] of heard)
    if (new Set(times.map(({ headers }) => headers['idempotency-key'])).size > 1)
      faults.push(`${body} went out under several ids`);
  return faults;
}
