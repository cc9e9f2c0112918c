// Whether the camera of a site heard, as headquarters learns it: a real hub, a site's store and its sender,
// one camera that listens and one that is dead.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { feedbackSteps } from '../../../common/core/timeline/steps.ts';
import { moveOf, newEvent, taskIn, verdictOn } from '../../contract/samples.ts';
import { SECOND } from '../../support/clock.ts';
import { openPair, type Pair } from './pair.ts';

let pair: Pair;
let camera: Server;
/** Where cameras take messages. */
let living: string;
let dead: string;

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/feedback`;
const listening = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
};

beforeAll(async () => {
  camera = await listening();
  living = urlOf(camera);
  const gone = await listening();
  dead = urlOf(gone);
  await new Promise((done) => gone.close(done));
  pair = await openPair(['acme']);
});
afterAll(async () => {
  await pair.close();
  camera.close();
});

/** An event of the site that is known at headquarters. @returns its ids at both ends */
async function event(key: string, feedbackUrl?: string): Promise<{ here: number; there: number }> {
  const [one] = await pair.rig.store.events.ingest(
    [newEvent(key, { doc: JSON.stringify({ localAlertNo: key, feedbackUrl }) })],
    pair.rig.clock.now(),
  );
  await pair.drain();
  const events = await pair.hub.store.events.page(0, 1_000);
  return { here: one?.id ?? 0, there: events.find(({ originId }) => originId === one?.id)?.id ?? 0 };
}

const judge = async (id: number) =>
  (await pair.call('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'chen' })).body;
const feedbackOf = async (id: number) =>
  (await pair.call('GET', `/api/core/events/${id}/verdict`)).body['feedback'];
const timelineOf = async (id: number) => {
  const { body } = await pair.call('GET', `/api/core/events/${id}/timeline?tenant_code=acme`);
  const steps = body['steps'] as { kind: string; text: string; textZh: string }[];
  return {
    truncated: body['truncated'],
    notes: steps.filter(({ kind }) => kind === 'edge_note').map(({ text, textZh }) => ({ text, textZh })),
  };
};
/** What the site's own timeline says of it. */
const notesHere = async (id: number) =>
  feedbackSteps(await pair.rig.store.feedback.ofEvent(id, 100)).map(({ entry: { text, textZh } }) => ({
    text,
    textZh,
  }));
/** The decision comes down with an answer of headquarters, and the camera is tried at once. */
const carryDown = async (): Promise<void> => {
  for (let rounds = 0; pair.rig.told.length === 0; rounds += 1) {
    if (rounds > 100) throw new Error('the decision does not come down');
    await pair.drain();
  }
  for (const id of pair.rig.told.splice(0)) await pair.rig.camera.firstTry(id, { tenantCode: null });
};
/** The background of the site tries again what is due. */
const tryAgain = async (seconds: number): Promise<void> => {
  pair.clock.advance(seconds * SECOND);
  pair.rig.clock.advance(seconds * SECOND);
  await pair.rig.camera.round(new AbortController().signal);
  await pair.drain();
};

test('a verdict of headquarters: who gave it learns that the living camera heard', async () => {
  const { here, there } = await event('alive', living);
  const goesDown = {
    pushedBack: false,
    pushError: 'goes down to the site site-1: at once while it has a link, otherwise with its next contact',
  };
  expect(await judge(there)).toMatchObject({ changed: true, ...goesDown });
  expect(await judge(there)).toMatchObject({ changed: false, ...goesDown });
  expect(await timelineOf(there)).toMatchObject({ notes: [], truncated: false });
  await carryDown();
  await pair.drain();

  expect(await judge(there)).toMatchObject({ changed: false, pushedBack: true, pushError: null });
  expect(await feedbackOf(there)).toMatchObject([{ kind: 'verdict', state: 'delivered', error: null }]);
  expect(await timelineOf(there)).toEqual({ notes: await notesHere(here), truncated: false });
  expect(await notesHere(here)).toEqual([
    {
      text: 'The camera is told of the verdict: delivered.',
      textZh: '向摄像机回传研判结论：已送达。',
    },
  ]);
});

test('of a dead camera it is said that it has not heard, and why; in the end that it was given up', async () => {
  const { here, there } = await event('dead', dead);
  await judge(there);
  await carryDown();
  await pair.drain();

  const pushError = expect.stringMatching(/^connection refused: .*ECONNREFUSED/) as string;
  expect(await judge(there)).toMatchObject({ changed: false, pushedBack: false, pushError });
  expect(await feedbackOf(there)).toMatchObject([
    { kind: 'verdict', state: 'pending', error: pushError, deliveredAt: null },
  ]);
  expect((await timelineOf(there)).notes).toEqual(await notesHere(here));
  expect((await timelineOf(there)).notes).toEqual([
    {
      text: 'The camera is told of the verdict: not delivered yet (it refused the connection).',
      textZh: '向摄像机回传研判结论：尚未送达（摄像机拒绝连接）。',
    },
  ]);

  // Another try that fails alike is nothing new, and makes no change to send.
  const head = pair.rig.store.changes.head();
  await tryAgain(60);
  expect(pair.rig.store.changes.head()).toBe(head);
  await tryAgain(8 * 24 * 3_600);
  expect(await feedbackOf(there)).toMatchObject([{ state: 'expired', error: pushError }]);
  expect((await timelineOf(there)).notes).toEqual(await notesHere(here));
});

test('a verdict and the progress of a task of the site itself travel up alike', async () => {
  const { here, there } = await event('task', living);
  const stamp = () => stampOf(pair.rig.clock);
  await pair.rig.store.verdicts.write(verdictOn(here), stamp());
  const task = await taskIn(pair.rig.store, stamp(), here);
  await pair.rig.store.tasks.move(moveOf(task.id, 'taken_over'), stamp());
  await pair.drain();
  expect((await timelineOf(there)).notes).toEqual(await notesHere(here));
  await tryAgain(60);
  const { notes, truncated } = await timelineOf(there);
  expect(truncated).toBe(false);
  expect(notes).toEqual(await notesHere(here));
  expect(notes.map(({ text }) => text)).toEqual([
    'The camera is told of the verdict: delivered.',
    'The camera is told of the progress of the task: delivered.',
  ]);
});

test('while the site has not said it the timeline is not complete; without an address nothing is missing', async () => {
  const { here, there } = await event('quiet', living);
  const bare = await event('bare');
  for (const id of [here, bare.here])
    await pair.rig.store.verdicts.write(verdictOn(id), stampOf(pair.rig.clock));
  // The verdict alone.
  await pair.drain();
  await pair.hub.store.pool.query('delete from site_feedback');
  expect(await timelineOf(there)).toEqual({ notes: [], truncated: true });
  expect(await judge(there)).toMatchObject({
    pushedBack: false,
    pushError: 'the site site-1 has not said yet whether its camera heard',
  });
  expect(await timelineOf(bare.there)).toEqual({ notes: [], truncated: false });
  expect(await judge(bare.there)).toMatchObject({ pushedBack: false, pushError: null });
  const [message] = await pair.rig.store.feedback.ofEvent(here, 10);
  await pair.rig.store.feedback.delivered(message?.id ?? '', pair.rig.clock.now());
  await pair.drain();
  expect(await timelineOf(there)).toEqual({ notes: await notesHere(here), truncated: false });
});

test('headquarters lets it go with the event', async () => {
  const { here, there } = await event('old', living);
  await pair.rig.store.verdicts.write(verdictOn(here), stampOf(pair.rig.clock));
  await pair.drain();
  expect(await pair.hub.store.feedback.ofEvent(there, 10)).toHaveLength(1);
  const now = pair.clock.now();
  await pair.hub.store.retention.dropEvents({
    before: now + SECOND,
    through: there,
    limit: 1_000,
    holdUnsent: false,
    now,
  });
  await pair.hub.store.retention.dropRecords({
    kind: 'feedback',
    before: now,
    limit: 1_000,
    holdUnsent: false,
    now,
  });
  expect(await pair.hub.store.feedback.ofEvent(there, 10)).toEqual([]);
});
