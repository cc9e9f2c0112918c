// A consumer of headquarters names a site's file in its push receipt: the site uploads it itself, and the job
// here shows what becomes of it.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HttpPeer } from '../../support/http-peer.ts';
import { untilRun } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, until } from '../../support/request.ts';
import { digest, type JobView, Joined } from './joined.ts';

const PICTURE = randomBytes(300_000);

let scene: Scene;
let storage: HttpPeer;
let consumer: HttpPeer;
beforeEach(async () => {
  scene = new Scene();
  storage = await new HttpPeer().open();
  consumer = await new HttpPeer().open();
  scene.onClose(() => Promise.all([storage.close(), consumer.close()]));
});
afterEach(() => scene.close());

/** Every pushed event's `a.jpg` is wanted, under a query. */
async function subscribed(joined: Joined, query = 'sig=secret'): Promise<void> {
  consumer.respond = ({ body }) => {
    const { items } = JSON.parse(body.toString('utf8')) as { items: { id: number }[] };
    return {
      body: JSON.stringify({
        evidence: items.map((item) => ({
          event_id: item.id,
          name: 'a.jpg',
          put_url: `${storage.url}/b/${item.id}?${query}`,
          headers: { 'x-amz-acl': 'private' },
        })),
      }),
    };
  };
  const body = { consumer: 'c', push_url: consumer.url, start_cursor: 0 };
  expectStatus(await joined.hub.call('POST', '/api/core/events/subscribe', body), 201);
}

async function jobBecomes(joined: Joined, what: (job: JobView) => boolean): Promise<JobView> {
  let found: JobView | undefined;
  await untilRun(
    'the job is so',
    async () => {
      found = (await joined.jobs())[0];
      return found !== undefined && what(found);
    },
    60_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(found)}`, { cause: error });
  });
  return found as JobView;
}

test('the site uploads it, also when the camera sends it late and the storage fails at first', async () => {
  const joined = await Joined.open(scene);
  await subscribed(joined);
  storage.respond = () => ({ status: storage.heard.length === 1 ? 500 : 200 });
  const id = await joined.event({ 'a.jpg': PICTURE });
  await jobBecomes(
    joined,
    ({ lastError }) => lastError?.includes('the camera has not sent the file') ?? false,
  );
  await joined.upload(id, 'a.jpg', PICTURE);
  await jobBecomes(joined, ({ lastError }) => lastError === 'at the site site-1: the storage answered 500');
  joined.clock.offset = 10_000;
  expect(await jobBecomes(joined, ({ state }) => state === 'done')).toMatchObject({
    consumer: 'c',
    lastError: null,
  });
  expect(storage.heard).toHaveLength(2);
  expect(storage.heard.at(-1)).toMatchObject({
    method: 'PUT',
    target: `/b/${await joined.newestAtHub()}?sig=secret`,
    headers: { 'x-amz-acl': 'private', 'content-type': 'image/jpeg' },
  });
  expect(digest(storage.heard.at(-1)?.body ?? Buffer.alloc(0))).toBe(digest(PICTURE));
  await until('the site is done with it', () =>
    Promise.resolve(joined.site.site.store.evidenceWants.waiting().orders === 0),
  );
});

test('a site that is away, and then an address that has expired, are named in the job', async () => {
  const joined = await Joined.open(scene);
  await joined.event({ 'a.jpg': PICTURE });
  await joined.newestAtHub();
  await joined.site.site.stop();
  await subscribed(joined, 'X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&X-Amz-Signature=s');
  const job = await jobBecomes(joined, ({ state }) => state === 'failed');
  expect(job.lastError).toBe(
    'the address expired on 2026-01-01T00:01:00.000Z; the consumer must name a new one; ' +
      'the order waits for the site site-1 to call',
  );
});

test('what the site deleted is named in the job', async () => {
  const joined = await Joined.open(scene);
  const id = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(id, 'a.jpg', PICTURE);
  await joined.newestAtHub();
  const { store } = joined.site.site;
  await until('headquarters has answered', () =>
    Promise.resolve(store.uplink.channel('events').cursor === id),
  );
  const only = store.eviction.onlyHere(10);
  await store.eviction.forgetEvidence(only, Date.parse('2026-01-02T03:04:05Z'), 'lost');
  await subscribed(joined);
  const job = await jobBecomes(joined, ({ state }) => state === 'failed');
  expect(job.lastError).toBe('at the site site-1: deleted at the site on 2026-01-02T03:04:05.000Z');
  expect(storage.heard).toEqual([]);
});
