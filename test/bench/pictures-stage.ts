// What the measurement of pictures begins with: a site whose events with pictures are at headquarters, and
// which has stored events, verdicts, tasks and groups since; once without the pictures, once with them.
import { hash, randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import { stampOf, systemClock } from '../../common/clock.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { silentLogger } from '../../common/log.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import { openSiteStore, type SiteStore } from '../../site/store/open.ts';
import { verdictOn } from '../contract/samples.ts';
import { clientOf, createDatabase } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { agentOptions, expectStatus, request, signedCall, until } from '../support/request.ts';
import { type Bench, type CameraSite, STORED } from './bench.ts';
import { Ends, positions } from './ends.ts';
import { inTurn } from './in-turn.ts';

export const PICTURE_BYTES = 2 * 1024 * 1024;
export const VERDICTS = 20_000;
export const TASKS = 2_000;
const GROUPS = 2_000;
const BATCH = 1_000;
const UPLOADS_AT_ONCE = 8;
const NAME = 'a.jpg';
/** Every picture goes up without being asked for. */
export const SENDS_ALL = { CORE_UPLINK_EVIDENCE: 'low' };

export interface Stage {
  /** Folders of the site and the hub, and the name of the database, as each run begins. */
  siteDir: string;
  hubDir: string;
  databaseUrl: string;
  cameras: SigningKey[];
  /** Newest position of each channel. */
  heads: Record<ChannelName, number>;
}

/** The two states from which the runs begin; they differ in the pictures that the site has. */
export async function prepareStages(
  bench: Bench,
  postgresUrl: string,
  pictures: number,
): Promise<{ without: Stage; withPictures: Stage }> {
  const database = await createDatabase(postgresUrl);
  const siteDir = bench.folder('pictures-site');
  const first = await bench.site('pictures-site');
  await first.program.stop();
  const ends = new Ends(bench, {
    name: 'pictures',
    batch: BATCH,
    databaseUrl: database.url,
    hubPort: await freePort(),
    siteDir,
    siteEnv: SENDS_ALL,
  });
  await ends.introduce();
  await ends.startSite();
  await ends.startHub();
  const announced = await announce({ program: ends.site, cameras: first.cameras }, pictures);
  const client = clientOf(database.url);
  await client.connect();
  await until('the hub has the events with pictures', async () => {
    return (await positions(client)).events === announced.length;
  });
  await client.end();
  await ends.hub.stop();
  await bench.fill({ program: ends.site, cameras: first.cameras }, STORED);
  await ends.stop();
  const heads = await fillRest(siteDir, announced.length);
  const stage = { hubDir: bench.folder('hub-pictures'), databaseUrl: database.url, cameras: first.cameras };
  const without = { ...stage, heads, siteDir: bench.copy(siteDir, 'pictures-site-without') };
  await ends.startSite();
  await upload(ends.site, announced);
  await ends.stop();
  return { without, withPictures: { ...stage, heads, siteDir } };
}

interface Announced {
  eventId: number;
  /** Which picture. */
  index: number;
  camera: SigningKey;
}

const noise = randomBytes(PICTURE_BYTES);

/** Each another file, without the memory of all of them. */
function pictureOf(index: number): Buffer {
  const bytes = Buffer.from(noise);
  bytes.writeUInt32BE(index, 0);
  return bytes;
}

/** Posts events that each announce a picture. */
async function announce({ program, cameras }: CameraSite, count: number): Promise<Announced[]> {
  const camera = cameras[0] as SigningKey;
  const url = `http://127.0.0.1:${program.port}`;
  const announced: Announced[] = [];
  for (let from = 0; from < count; from += 100) {
    const indices = Array.from({ length: Math.min(100, count - from) }, (_, offset) => from + offset);
    const events = indices.map((index) => ({
      idempotency_key: `picture-${index}`,
      type: 'vehicle.intrusion',
      severity: 'high',
      evidence: [
        {
          name: NAME,
          content_type: 'image/jpeg',
          size: PICTURE_BYTES,
          sha256: hash('sha256', pictureOf(index), 'hex'),
        },
      ],
    }));
    const answer = expectStatus(
      await signedCall({
        url,
        key: camera,
        method: 'POST',
        path: '/api/core/events',
        body: JSON.stringify({ events }),
      }),
      200,
      201,
    );
    const { items } = JSON.parse(answer.text) as { items: { id: number }[] };
    announced.push(...items.map(({ id }, offset) => ({ eventId: id, index: from + offset, camera })));
  }
  return announced;
}

async function upload(program: { port: number }, announced: readonly Announced[]): Promise<void> {
  const url = `http://127.0.0.1:${program.port}`;
  const agent = new Agent(agentOptions({ connections: UPLOADS_AT_ONCE }));
  await inTurn(
    announced.length,
    async (at) => {
      const { eventId, index, camera } = announced[at] as Announced;
      const target = `/api/core/events/${eventId}/evidence/${NAME}`;
      const body = pictureOf(index);
      const headers = signedHeaders(camera, Date.now(), 'PUT', target, body);
      expectStatus(await request({ url, method: 'PUT', path: target, body, headers, agent }), 201);
    },
    UPLOADS_AT_ONCE,
  );
  await agent.close();
}

/** Verdicts, tasks and groups on the stored events. @param from events before this id are left alone */
async function fillRest(dir: string, from: number): Promise<Stage['heads']> {
  const store = await openSiteStore({ dir, clock: systemClock, log: silentLogger() });
  const stamp = stampOf(systemClock);
  try {
    await inTurn(VERDICTS, async (index) => {
      await store.verdicts.write(verdictOn(from + 1 + index, { tenantCode: null }), stamp);
    });
    await inTurn(TASKS, (index) => task(store, from + 1 + index));
    await inTurn(GROUPS, async (index) => {
      await store.incidents.upsert(
        {
          tenantCode: 'T-BENCH',
          sourceKey: `bench-${index}`,
          layer: 'L1',
          siteRef: 'site-1',
          pointRef: null,
          title: null,
          eventIds: [0, 1, 2, 3].map((offset) => from + 1 + index * 4 + offset),
          actor: 'bench',
        },
        stamp,
      );
    });
    return {
      events: (await store.events.bounds()).highWaterMark,
      // Numbers are given in order once the events have gone up.
      verdicts: store.changes.waiting(0, Number.MAX_SAFE_INTEGER),
    };
  } finally {
    await store.close();
  }
}

async function task(store: SiteStore, eventId: number): Promise<void> {
  await store.tasks.create(
    {
      tenantCode: 'T-BENCH',
      type: 'disposal',
      eventId,
      title: 'See to it',
      severity: 'high',
      assigneeOrg: null,
      dueAt: null,
      suppressed: false,
      body: {},
      by: 'agent',
      actor: 'bench',
    },
    stampOf(systemClock),
  );
}
