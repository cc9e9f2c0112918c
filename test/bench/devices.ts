// Cameras that cannot sign: alarms that they repeat over the death of a site, pictures beside signed events,
// and what a site without a device costs.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AlarmsSent, sendAlarms } from '../support/alarm-cameras.ts';
import { freePort } from '../support/process.ts';
import type { Bench } from './bench.ts';
import { unitEnvironment } from './footprint.ts';
import type { LoadResult } from './load.ts';
import type { Program } from './program.ts';
import { atMost, mib, ms, perSecond, type Row, whole } from './table.ts';

const CAMERAS = 50;
const FOR_MS = 60_000;
/** As long as the site needs to notice that it is at rest. */
const REST_MS = 25_000;
/** 64 MB a minute of pictures: 32 of 2 MB. */
const PICTURE_BYTES = 2_000_000;
const PICTURES_A_MINUTE = 32;
const SIGNED_PER_SECOND = 100;

export async function measureDevices(bench: Bench): Promise<Row[]> {
  return [...(await memoryRows(bench)), ...(await killedRows(bench)), ...(await pictureRows(bench))];
}

async function registerDevices(program: Program, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { kind: 'hikvision', tenant_code: 'acme', name: `alarm-cam-${n}` };
    paths.push((await program.call<{ path: string }>('POST', '/api/core/devices', body)).path);
  }
  return paths;
}

async function memoryRows(bench: Bench): Promise<Row[]> {
  const dir = bench.folder('devices-idle');
  const env = unitEnvironment();
  const idle = async (use: (program: Program) => Promise<unknown>): Promise<number> => {
    const program = await bench.start({ program: 'site', dir, env });
    await use(program);
    await sleep(REST_MS);
    const { now } = program.memory();
    await program.stop();
    return now;
  };
  const without = await idle(() => Promise.resolve());
  const used = await idle(async (program) => {
    const paths = await registerDevices(program, 1);
    await sendAlarms({ url: urlOf(program), paths, forMs: 1_000, pictureBytes: 0 });
  });
  return [
    { what: 'resident memory of an empty site, idle, without a device', measured: mib(without) },
    { what: '  with one that has posted', measured: mib(used), floor: mib(without), ratio: used / without },
  ];
}

async function killedRows(bench: Bench): Promise<Row[]> {
  const options = { program: 'site', dir: bench.folder('devices-killed'), port: await freePort() } as const;
  const first = await bench.start(options);
  const paths = await registerDevices(first, CAMERAS);
  const sending = sendAlarms({ url: urlOf(first), paths, forMs: FOR_MS, pictureBytes: 0 });
  await sleep(FOR_MS / 2);
  await first.stop('SIGKILL');
  const second = await bench.start(options);
  const sent = await sending;
  const { stored } = await stats(second);
  await second.stop();
  return [
    {
      what: `events of ${whole(sent.alarms)} alarms that ${CAMERAS} cameras repeat, over a SIGKILL`,
      measured: whole(stored),
      target: `= ${whole(sent.alarms)}`,
      ok: stored === sent.alarms,
    },
    {
      what: '  posts, and those that were sent again',
      measured: `${whole(sent.posts)}, ${whole(sent.again)}`,
    },
    { what: '  posts a second', measured: perSecond(sent.posts / (FOR_MS / 1000), 'posts') },
    { what: '  answered within: p50, p99', measured: `${ms(at(sent, 0.5))}, ${ms(at(sent, 0.99))}` },
  ];
}

/** How many events the site holds. */
async function stats(program: Program): Promise<{ stored: number }> {
  let [stored, cursor] = [0, ''];
  do {
    const page = await program.call<{ items: unknown[]; nextCursor: string | null }>(
      'GET',
      `/api/core/events/list?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    stored += page.items.length;
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return { stored };
}

/** Signed events at a steady rate, alone and beside pictures. */
async function pictureRows(bench: Bench): Promise<Row[]> {
  const site = await bench.site('devices-pictures', { env: unitEnvironment() });
  const { program } = site;
  const paths = await registerDevices(program, 4);
  const signed = (): Promise<LoadResult> =>
    bench.post(site, {
      clients: 8,
      batch: 1,
      keys: 'sequential',
      measureMs: FOR_MS / 2,
      built: (SIGNED_PER_SECOND * FOR_MS) / 1000,
      perSecond: SIGNED_PER_SECOND,
    });
  const alone = await signed();
  const [beside, sent] = await Promise.all([signed(), pictures(program, paths)]);
  const { peak } = program.memory();
  await program.stop();
  const megabytes = (sent.pictures * PICTURE_BYTES) / 1e6 / (FOR_MS / 2 / 60_000);
  return [
    {
      what: `signed events at ${SIGNED_PER_SECOND}/s beside ${whole(megabytes)} MB of pictures a minute: p99`,
      measured: ms(beside.p99),
      floor: ms(alone.p99),
      ratio: beside.p99 / alone.p99,
    },
    atMost('  peak of resident memory', peak, 120, mib),
  ];
}

/** The pace of `sendAlarms` makes more alarms than this test wants: one camera after the other begins one. */
async function pictures(program: Program, paths: readonly string[]): Promise<{ pictures: number }> {
  const began = performance.now();
  const gap = 60_000 / PICTURES_A_MINUTE;
  let count = 0;
  while (performance.now() - began < FOR_MS / 2) {
    const path = paths[count % paths.length] ?? '';
    count += 1;
    await sendAlarms({ url: urlOf(program), paths: [path], forMs: 0, pictureBytes: PICTURE_BYTES });
    await sleep(Math.max(0, began + count * gap - performance.now()));
  }
  return { pictures: count };
}

const urlOf = ({ port }: Program): string => `http://127.0.0.1:${port}`;

const at = ({ tookMs }: AlarmsSent, share: number): number =>
  tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * share))] ?? Number.NaN;
