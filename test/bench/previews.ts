// A small picture behind each alarm, over a link of 256 kbit/s: a thousand alarms an hour, and none of them
// waits for a picture. Beside the same alarms without pictures.
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { clientOf, createDatabase } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';
import type { Bench } from './bench.ts';
import { Ends } from './ends.ts';
import { atMost, median, ms, type Row } from './table.ts';
import { ThinLink } from './thin-link.ts';

const BYTES_PER_SECOND = 256_000 / 8;
const ALARMS_AN_HOUR = 1_000;
const ALARMS = 25;
const NAME = 'front.jpg';
/** An event is never later by more than this for the pictures of others. */
const LATER_MS = 1_000;
const MOST_BYTES = 40_000;

interface Run {
  /** From the receipt of each event at the site to that at headquarters, ms. */
  lags: number[];
  /** From the receipt of an event at headquarters to that of its small picture there, ms. */
  behind: number[];
  bytes: number[];
}

/** @param postgresUrl a durable server */
export async function measurePreviews(bench: Bench, postgresUrl: string): Promise<Row[]> {
  const without = await run(bench, postgresUrl, { name: 'without', env: { CORE_UPLINK_EVIDENCE: 'none' } });
  const beside = await run(bench, postgresUrl, { name: 'with', env: {} });
  const [slowest, floor] = [Math.max(...beside.lags), Math.max(...without.lags)];
  return [
    {
      ...atMost(
        `alarms at ${ALARMS_AN_HOUR}/h over 256 kbit/s with small pictures, site to hub: slowest beyond without`,
        slowest - floor,
        LATER_MS,
        ms,
      ),
      floor: ms(floor),
    },
    {
      what: '  p50, slowest',
      measured: `${ms(median(beside.lags))}, ${ms(slowest)}`,
      floor: `${ms(median(without.lags))}, ${ms(floor)}`,
    },
    {
      what: '  small picture behind its event: p50, slowest',
      measured: `${ms(median(beside.behind))}, ${ms(Math.max(...beside.behind))}`,
    },
    atMost(
      '  largest small picture',
      Math.max(...beside.bytes) / 1_000,
      MOST_BYTES / 1_000,
      (value) => `${value.toFixed(1)} kB`,
    ),
  ];
}

async function run(
  bench: Bench,
  postgresUrl: string,
  { name, env }: { name: string; env: Record<string, string> },
): Promise<Run> {
  const database = await createDatabase(postgresUrl);
  const hubPort = await freePort();
  const link = new ThinLink(hubPort, BYTES_PER_SECOND);
  const first = await bench.site(`previews-${name}`);
  await first.program.stop();
  const ends = new Ends(bench, {
    ...{ name: `previews-${name}`, batch: 1_000, databaseUrl: database.url, hubPort },
    siteDir: bench.folder(`previews-${name}`),
    siteEnv: { ...env, CORE_UPLINK_URL: await link.listen() },
  });
  try {
    await ends.introduce();
    await ends.startHub();
    await ends.startSite();
    await post(ends, first.cameras[0] as SigningKey);
    return await seen(database.url, env.CORE_UPLINK_EVIDENCE === 'none' ? 0 : ALARMS);
  } finally {
    await ends.stop();
    await link.close();
    await database.drop();
  }
}

/** Alarms at their rate, each with a picture of its own of full size. */
async function post({ site }: Ends, key: SigningKey): Promise<void> {
  const url = `http://127.0.0.1:${site.port}`;
  const began = performance.now();
  for (let index = 0; index < ALARMS; index += 1) {
    const picture = await scene(index);
    await sleep(Math.max(0, began + (index * 3_600_000) / ALARMS_AN_HOUR - performance.now()));
    const evidence = [
      { name: NAME, content_type: 'image/jpeg', size: picture.length, sha256: hash('sha256', picture) },
    ];
    const event = { idempotency_key: `alarm-${index}`, type: 'person.fall', severity: 'high', evidence };
    const body = JSON.stringify(event);
    const answer = await signedCall({ url, key, method: 'POST', path: '/api/core/events', body });
    const { items } = jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201));
    const path = `/api/core/events/${items[0]?.id}/evidence/${NAME}`;
    const headers = signedHeaders(key, Date.now(), 'PUT', path, picture);
    expectStatus(await request({ url, method: 'PUT', path, body: picture, headers }), 201);
  }
}

/** As busy as a picture of a site is. */
const scene = (index: number): Promise<Buffer> =>
  sharp({
    create: {
      ...{ width: 1_920, height: 1_080, channels: 3, background: { r: (index * 9) % 255, g: 90, b: 60 } },
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer();

/** What headquarters has once all of it is there. */
async function seen(databaseUrl: string, pictures: number): Promise<Run> {
  const client = clientOf(databaseUrl);
  await client.connect();
  try {
    await until('all of it is at headquarters', async () => {
      const { rows } = await client.query<{ events: string; files: string }>(
        'select (select count(*) from events) as events, (select count(*) from evidence_files) as files',
      );
      return Number(rows[0]?.events) === ALARMS && Number(rows[0]?.files) >= pictures;
    });
    const { rows: events } = await client.query<{ lag: string }>(
      'select received_at - origin_received_at as lag from events',
    );
    const { rows: files } = await client.query<{ behind: string; size: number }>(
      `select f.stored_at - e.received_at as behind, f.size from evidence_files f
       join events e on e.tenant_code = f.tenant_code and e.id = f.event_id`,
    );
    return {
      lags: events.map(({ lag }) => Number(lag)),
      behind: files.map(({ behind }) => Number(behind)),
      bytes: files.map(({ size }) => Number(size)),
    };
  } finally {
    await client.end();
  }
}
