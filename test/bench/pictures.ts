// Events and verdicts drain to the hub while a gigabyte of pictures waits at the site, beside the same drain
// without them; tasks and groups go up in both. Then cameras post and people judge while the pictures go up.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { clientOf, copyDatabase } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { until } from '../support/request.ts';
import { type Bench, STORED } from './bench.ts';
import { Ends, positions } from './ends.ts';
import { PICTURE_BYTES, prepareStages, SENDS_ALL, type Stage, TASKS, VERDICTS } from './pictures-stage.ts';
import { median, ms, type Row, shareOf, whole } from './table.ts';

const MIB = 1024 * 1024;
const DEFAULT_MIB = 1_024;
/** Smallest share of the rates without pictures. */
const SHARE = 0.9;
/** Runs of each kind, in turn: on a machine that does other work, two runs of one kind differ by a fifth. */
const RUNS = 3;
const BATCH = 1_000;
const DRAIN_WITHIN_MS = 120_000;
/** Changes of tasks a second during the drain. */
const STEPS_PER_SECOND = 50;
/** What goes on when the drain is over. */
const LIVE_MS = 8_000;
const LIVE_CLIENTS = 16;
const LIVE_EVENTS_PER_SECOND = 200;
const LIVE_VERDICTS_PER_SECOND = 20;

interface Run {
  /** From the hub's first accepted connection until it held all of a channel, milliseconds. */
  drainedMs: { events: number; verdicts: number };
  /** Processor time of site and hub for the drain, ms; other work of the machine does not change it. */
  cpuMs: number;
  /** Items of the work channel that came during the drain of events and verdicts. */
  workBeside: number;
  /** From the receipt of live events at the site to that at the hub, milliseconds, ascending. */
  lags: number[];
  /** Bytes of pictures that had gone when the drain, the tasks and the live time were over. */
  picturesAtDrain: number;
  picturesAfterDrain: number;
  picturesAfterLive: number;
}

/** @param postgresUrl a durable server */
export async function measurePictures(bench: Bench, postgresUrl: string): Promise<Row[]> {
  const mebibytes = bench.options.pictures ?? DEFAULT_MIB;
  const count = Math.max(1, Math.round((mebibytes * MIB) / PICTURE_BYTES));
  const { without, withPictures } = await prepareStages(bench, postgresUrl, count);
  const runs: { alone: Run[]; beside: Run[] } = { alone: [], beside: [] };
  for (let index = 0; index < RUNS; index += 1) {
    runs.alone.push(await run(bench, postgresUrl, without, `alone-${index}`));
    runs.beside.push(await run(bench, postgresUrl, withPictures, `beside-${index}`));
  }
  return rowsOf(runs, `${whole((count * PICTURE_BYTES) / MIB)} MiB`);
}

function rowsOf({ alone, beside }: { alone: Run[]; beside: Run[] }, size: string): Row[] {
  const rate = (of: Run[], channel: 'events' | 'verdicts', items: number): number =>
    (items * 1000) / Math.min(...of.map(({ drainedMs }) => drainedMs[channel]));
  const share = (channel: 'events' | 'verdicts', items: number): Row =>
    shareOf({
      what: `uplink of ${whole(items)} ${channel} with ${size} of pictures waiting`,
      measured: rate(beside, channel, items),
      floor: rate(alone, channel, items),
      bound: SHARE,
      unit: channel,
      floorUnit: channel,
    });
  const lag = (of: Run[], quantile: number): number =>
    median(of.map(({ lags }) => lags[Math.floor(lags.length * quantile)] ?? Number.NaN));
  const live = beside.map(
    ({ picturesAfterDrain, picturesAfterLive }) => picturesAfterLive - picturesAfterDrain,
  );
  const lags = (of: Run[]): string => `${ms(lag(of, 0.5))}, ${ms(lag(of, 0.99))}`;
  return [
    share('events', STORED),
    share('verdicts', VERDICTS),
    {
      what: '  events/s of each run, in turn without and with',
      measured: alone
        .flatMap((one, index) => [one, beside[index]])
        .map((one) => whole((STORED * 1000) / (one?.drainedMs.events ?? Number.NaN)))
        .join('; '),
    },
    {
      what: '  processor time of site and hub for it',
      measured: ms(median(beside.map(({ cpuMs }) => cpuMs))),
      floor: ms(median(alone.map(({ cpuMs }) => cpuMs))),
      ratio: median(beside.map(({ cpuMs }) => cpuMs)) / median(alone.map(({ cpuMs }) => cpuMs)),
    },
    {
      what: '  tasks and groups that came meanwhile, without and with',
      measured: `${whole(median(alone.map(({ workBeside }) => workBeside)))}, ${whole(median(beside.map(({ workBeside }) => workBeside)))}`,
    },
    {
      what: '  pictures that came meanwhile',
      measured: `${whole(median(beside.map((one) => one.picturesAtDrain)) / MIB)} MiB`,
    },
    {
      what: `live events at ${LIVE_EVENTS_PER_SECOND}/s, site to hub, with pictures on the way: p50, p99`,
      measured: lags(beside),
      floor: lags(alone),
      ratio: lag(beside, 0.99) / lag(alone, 0.99),
    },
    {
      what: '  pictures that came meanwhile',
      measured: `${(median(live) / 1e6 / (LIVE_MS / 1000)).toFixed(1)} MB/s`,
    },
  ];
}

async function run(bench: Bench, postgresUrl: string, stage: Stage, name: string): Promise<Run> {
  const database = await copyDatabase(postgresUrl, stage.databaseUrl);
  const siteDir = bench.copy(stage.siteDir, `pictures-${name}`);
  bench.copy(stage.hubDir, `hub-${name}`);
  const ends = new Ends(bench, {
    name,
    batch: BATCH,
    databaseUrl: database.url,
    hubPort: await freePort(),
    siteDir,
    siteEnv: SENDS_ALL,
  });
  const client = clientOf(database.url);
  await client.connect();
  const over = new AbortController();
  try {
    await ends.startSite();
    const changing = change(ends, over.signal);
    await ends.startHub();
    const drained = await drain(client, ends, stage);
    const picturesAtDrain = await sentBytes(ends);
    over.abort();
    await changing;
    await until(
      'the tasks are at the hub',
      async () => (await positions(client)).verdicts >= stage.heads.verdicts,
    );
    const picturesAfterDrain = await sentBytes(ends);
    await live(bench, ends, stage);
    const picturesAfterLive = await sentBytes(ends);
    const lags = await lagsOf(client, stage);
    return { ...drained, lags, picturesAtDrain, picturesAfterDrain, picturesAfterLive };
  } finally {
    over.abort();
    await client.end();
    await ends.stop();
    await database.drop();
    for (const folder of [siteDir, bench.folder(`hub-${name}`)]) rmSync(folder, { recursive: true });
  }
}

/** Changes tasks of the site until it is told to end. */
async function change({ site }: Ends, signal: AbortSignal): Promise<void> {
  for (let index = 0; !signal.aborted; index += 1) {
    await site.call('POST', `/api/core/objects/tasks/${1 + (index % TASKS)}/steps`, {
      tenant_code: 'T-BENCH',
      kind: 'note',
      text: 'seen',
      by: 'li',
    });
    await sleep(1_000 / STEPS_PER_SECOND);
  }
}

async function drain(
  client: pg.Client,
  ends: Ends,
  { heads }: Stage,
): Promise<Pick<Run, 'drainedMs' | 'cpuMs' | 'workBeside'>> {
  const cpu = (): number => ends.site.cpuMs() + ends.hub.cpuMs();
  const [returned, cpuBefore] = [performance.now(), cpu()];
  const drainedMs = { events: 0, verdicts: 0 };
  const before = (await positions(client)).verdicts;
  for (;;) {
    await sleep(10);
    const at = await positions(client);
    const now = performance.now() - returned;
    for (const channel of ['events', 'verdicts'] as const)
      if (drainedMs[channel] === 0 && at[channel] >= heads[channel]) drainedMs[channel] = now;
    if (drainedMs.events > 0 && drainedMs.verdicts > 0)
      return { drainedMs, cpuMs: cpu() - cpuBefore, workBeside: at.verdicts - before };
    if (now > DRAIN_WITHIN_MS)
      throw new Error(`the hub stands at ${JSON.stringify(at)} of ${JSON.stringify(heads)}; ${ends.said()}`);
  }
}

/** Cameras post and people judge, at rates that leave the machine room. */
async function live(bench: Bench, { site }: Ends, { cameras, heads }: Stage): Promise<void> {
  const posting = bench.post(
    { program: site, cameras },
    {
      clients: LIVE_CLIENTS,
      batch: 1,
      keys: 'sequential',
      measureMs: LIVE_MS,
      built: (LIVE_EVENTS_PER_SECOND * (LIVE_MS + 1_000)) / 1_000,
      perSecond: LIVE_EVENTS_PER_SECOND,
    },
  );
  let done = false;
  const judging = async (): Promise<void> => {
    for (let eventId = heads.events - VERDICTS; !done; eventId += 1) {
      await site.call('POST', `/api/core/events/${eventId}/verdict`, {
        verdict: 'false_alarm',
        by: 'li',
        note: 'a shadow',
      });
      await sleep(1_000 / LIVE_VERDICTS_PER_SECOND);
    }
  };
  await Promise.all([posting.finally(() => (done = true)), judging()]);
  // The last ones are on their way.
  await sleep(1_000);
}

async function sentBytes({ site }: Ends): Promise<number> {
  const { evidence } = await site.call<{ evidence: { sentBytes: number } }>('GET', '/api/core/uplink/status');
  return evidence.sentBytes;
}

/** @returns ascending */
async function lagsOf(client: pg.Client, { heads }: Stage): Promise<number[]> {
  const { rows } = await client.query<{ lag: string }>(
    'select received_at - origin_received_at as lag from events where origin_id > $1 order by 1',
    [heads.events],
  );
  return rows.map(({ lag }) => Number(lag));
}
