// What was done under marks, counted where it should be: in the tasks of the site, and at its cameras.
import { isDeepStrictEqual } from 'node:util';
import type { HttpPeer } from '../http-peer.ts';
import type { Program } from '../process.ts';
import type { Acts } from './acts.ts';

export interface Task {
  id: number;
  originId: number | null;
  instance: string | null;
  eventId: number | null;
  title: string;
  type: string;
  body: {
    history: { action: string; note: string | null }[];
    steps: { text: string }[];
    edge_notes: { text: string; pushedToEdge: boolean }[];
  };
}
export interface Order {
  id: string;
  state: string;
  reason: string | null;
}

export interface Ends {
  site: Program;
  hub: Program;
  camera: HttpPeer;
  robot: HttpPeer;
  acts: Acts;
}

/** Every mark is at the site once where it was acknowledged and not refused, and nowhere twice. */
export function markFaults({ acts }: Acts, tasks: readonly Task[], orders: readonly Order[]): string[] {
  const marks = marksOf(tasks);
  const stateOf = new Map(orders.map(({ id, state }) => [id, state]));
  return acts.flatMap(({ mark, acknowledged, orderId, ...act }) => {
    const count = marks.get(mark) ?? 0;
    const state = orderId === null ? 'done' : stateOf.get(orderId);
    const wanted = acknowledged && state === 'done' ? 1 : 0;
    if (count === wanted || (!acknowledged && count === 1)) return [];
    return [`${mark} ${JSON.stringify(act)} is there ${count} times, ${state}`];
  });
}

function marksOf(tasks: readonly Task[]): Map<string, number> {
  const marks = new Map<string, number>();
  const add = (mark: string): unknown => marks.set(mark, (marks.get(mark) ?? 0) + 1);
  for (const { title, body } of tasks) {
    add(title);
    for (const { text } of body.steps) add(text);
    for (const { text } of body.edge_notes) add(text);
    for (const { action, note } of body.history) if (action === 'transition' && note !== null) add(note);
  }
  return marks;
}

/** A message may come again as it was, after a kill; what is told is told by one message. */
export function cameraFaults(
  { camera, acts }: Ends,
  tasks: readonly Task[],
  events: readonly { id: number; idempotencyKey: string; verdict: string | null }[],
): string[] {
  const bodies = [...new Set(camera.heard.map(({ body }) => body.toString()))].map(
    (text) => JSON.parse(text) as { eventId: number; verdict?: string; reason?: string | null },
  );
  const verdicts = Map.groupBy(
    bodies.filter(({ verdict }) => verdict !== undefined),
    ({ eventId }) => eventId,
  );
  const faults = events.flatMap(({ id, idempotencyKey, verdict }) => {
    const heard = verdicts.get(id)?.map((one) => one.verdict) ?? [];
    return isDeepStrictEqual(heard, verdict === null ? [] : [verdict])
      ? []
      : [`${idempotencyKey} is ${verdict}, its camera heard ${heard.join()}`];
  });
  const marks = marksOf(tasks);
  const told = new Set(
    tasks.filter(({ type }) => type !== 'review').flatMap((task) => [...marksOf([task]).keys()]),
  );
  for (const { mark, kind, to } of acts.acts) {
    const heard = bodies.filter(({ reason }) => reason === mark).length;
    const field = kind === 'edge_note' || to === 'taken_over' || to === 'completed';
    const due = field && told.has(mark) && marks.get(mark) === 1;
    if (heard > 1 || (due && heard === 0))
      faults.push(`${mark} (${kind}) was told to the camera ${heard} times`);
  }
  return faults;
}
