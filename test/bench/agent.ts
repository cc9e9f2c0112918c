// Events at 200 a second into a site whose agent acts on each: from receipt to task, and what intake pays for
// it.
import type { Bench } from './bench.ts';
import type { LoadResult } from './load.ts';
import type { Program } from './program.ts';
import { atMost, ms, type Row, whole } from './table.ts';

const RATE = 200;
const MEASURE_MS = 20_000;
const CLIENTS = 16;
const PAGE = 1_000;
/** Spec 2's watermark of 2 s, and half a second for the agent. */
const TASK_WITHIN_MS = 2_500;
const DONE_WITHIN_MS = 60_000;

const load = {
  clients: CLIENTS,
  batch: 1,
  keys: 'sequential',
  measureMs: MEASURE_MS,
  built: (RATE * (MEASURE_MS + 5_000)) / 1000,
  perSecond: RATE,
} as const;

export async function measureAgent(bench: Bench): Promise<Row[]> {
  const alone = await measured(bench, 'agent-off', 'false');
  const beside = await measured(bench, 'agent-on', 'true');
  const delays = beside.delays.sort((a, b) => a - b);
  return [
    { what: `intake at ${RATE} events/s alone, p99`, measured: ms(alone.load.p99) },
    atMost('  with the agent acting on each', beside.load.p99, 2 * alone.load.p99, ms),
    atMost('from receipt to task, slowest', delays.at(-1) ?? Number.NaN, TASK_WITHIN_MS, ms),
    { what: '  median', measured: ms(delays[Math.floor(delays.length / 2)] ?? Number.NaN) },
    {
      what: '  events, tasks',
      measured: `${whole(beside.events)}, ${whole(delays.length)}`,
      target: 'equal',
      ok: beside.events === delays.length,
    },
  ];
}

async function measured(
  bench: Bench,
  name: string,
  enabled: 'true' | 'false',
): Promise<{ load: LoadResult; events: number; delays: number[] }> {
  const site = await bench.site(name, { env: { AGENT_ENABLED: enabled } });
  const { program } = site;
  await program.call('POST', '/api/core/objects/rules', {
    tenant_code: 'T-BENCH',
    name: 'tell',
    kind: 'response',
    body: {
      priority: 1,
      enabled: true,
      match: {},
      action: { kind: 'dispatch', channels: ['inbox'], due_minutes: 30 },
    },
  });
  const result = await bench.post(site, load);
  const delays = enabled === 'true' ? await delaysOf(program) : [];
  const events = await items<object>(program, '/api/core/events/list');
  await program.stop();
  return { load: result, events: events.length, delays };
}

/** Milliseconds from the receipt of each event to its task. */
async function delaysOf(program: Program): Promise<number[]> {
  const end = performance.now() + DONE_WITHIN_MS;
  for (;;) {
    const { lag } = await program.call<{ lag: number }>('GET', '/api/agent/status');
    if (lag === 0) break;
    if (performance.now() > end) throw new Error(`the agent is ${lag} events behind`);
  }
  const received = new Map(
    (await items<{ id: number; receivedAt: string }>(program, '/api/core/events/list')).map(
      ({ id, receivedAt }) => [id, Date.parse(receivedAt)],
    ),
  );
  return (await items<{ eventId: number; createdAt: string }>(program, '/api/core/objects/tasks')).map(
    ({ eventId, createdAt }) => Date.parse(createdAt) - (received.get(eventId) ?? Number.NaN),
  );
}

async function items<T>(program: Program, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: T[]; nextCursor: string | null } = await program.call(
      'GET',
      `${path}?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}
