// Answers of headquarters that a site never gets: what it has done is not done twice, and in the end both
// ends know of it.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HttpPeer } from '../../support/http-peer.ts';
import { untilRun } from '../../support/in-process.ts';
import { longTest } from '../../support/long.ts';
import { Scene } from '../../support/process.ts';
import { Link } from '../../support/proxy.ts';
import { seededRandom } from '../../support/random.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { digest, Joined } from './joined.ts';

const PICTURE = randomBytes(40_000);

let scene: Scene;
let link: Link;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

function open(site: Record<string, string> = {}): Promise<Joined> {
  return Joined.open(scene, {
    site,
    through: async (hub) => {
      link = new Link(Number(new URL(hub).port), seededRandom(5));
      await link.listen();
      scene.onClose(() => link.close());
      return link.url;
    },
  });
}

/** What the site says of its evidence flow. */
const there = async ({ site }: Joined): Promise<{ backlog: number; orders: number }> =>
  jsonOf<{ evidence: { backlog: number; orders: number } }>(
    expectStatus(await site.call('GET', '/api/core/uplink/status'), 200),
  ).evidence;

longTest(
  'the answer to the report of an upload is lost: the file is not brought again, and the job is done',
  async () => {
    const [storage, consumer] = [await new HttpPeer().open(), await new HttpPeer().open()];
    scene.onClose(() => Promise.all([storage.close(), consumer.close()]));
    const joined = await open();
    consumer.respond = ({ body }) => {
      const { items } = JSON.parse(body.toString('utf8')) as { items: { id: number }[] };
      const evidence = items.map(({ id }) => ({
        event_id: id,
        name: 'a.jpg',
        put_url: `${storage.url}/${id}`,
      }));
      return { body: JSON.stringify({ evidence }) };
    };
    // From the upload on no answer comes back.
    let withheld: Promise<void> | null = null;
    storage.respond = () => {
      withheld ??= link.withholdAnswers();
      return { status: 200 };
    };
    const subscription = { consumer: 'c', push_url: consumer.url, start_cursor: 0 };
    expectStatus(await joined.hub.call('POST', '/api/core/events/subscribe', subscription), 201);
    const id = await joined.event({ 'a.jpg': PICTURE });
    await joined.upload(id, 'a.jpg', PICTURE);
    await untilRun(
      'headquarters has heard of it',
      async () => (await joined.jobs())[0]?.state === 'done',
      60_000,
    );
    expect(link.counts.answersWithheld).toBeGreaterThan(0);
    expect(await there(joined)).toMatchObject({ orders: 1 });
    await joined.restartSite();
    link.up();
    await untilRun(
      'the site knows that it is settled',
      async () => (await there(joined)).orders === 0,
      60_000,
    );
    expect(storage.heard).toHaveLength(1);
    expect(await joined.jobs()).toMatchObject([{ state: 'done', lastError: null }]);
  },
);

test('answers to pieces of a picture are lost: it goes on where headquarters is, and is kept once', async () => {
  // A piece of 8 KB each half second.
  const joined = await open({ CORE_UPLINK_EVIDENCE_KBPS: '128' });
  const atSite = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(atSite, 'a.jpg', PICTURE);
  const id = await joined.newestAtHub();
  await until('a piece is here', async () => (await joined.far(id, 'a.jpg')).bytes > 0, 60_000);
  await link.withholdAnswers();
  await until('the site gets no answer', () => Promise.resolve(link.counts.answersWithheld > 1), 60_000);
  await joined.restartSite();
  link.up();
  await until('it is here', async () => (await joined.get(id, 'a.jpg')).status === 200, 60_000);
  await until('the site is done with it', async () => (await there(joined)).backlog === 0, 60_000);
  expect(digest(await joined.bytes(id, 'a.jpg'))).toBe(digest(PICTURE));
  const stored = await joined.hub.call('GET', '/api/core/audit?action=evidence.stored&limit=10');
  expect(jsonOf<{ items: object[] }>(stored).items).toHaveLength(1);
});
