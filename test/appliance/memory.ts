// Each program under the memory that its unit gives it, while much is asked of it: nothing is killed, and
// others are served.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { unitEnvironment } from '../bench/footprint.ts';
import { ADMIN, buildBundles, Program, ROOT } from '../bench/program.ts';
import { type Endless, endlessAnswers, endlessBroker, endlessPost } from '../support/endless.ts';
import { freePort } from '../support/process.ts';
import { request, until } from '../support/request.ts';
import { type Checks, expectEqual } from './checks.ts';
import { MemoryGroup } from './memory-group.ts';

const EVENTS = 100_000;
/** One in a hundred has as much as an event may bring. */
const [USUAL_BYTES, LARGE_BYTES, LARGE_EVERY] = [8_000, 60_000, 100];
const BATCH = 200;
const LISTS = 6;
const ASKING_MS = 60_000;
const ENDLESS_MS = 60_000;
const LOOK_MS = 100;

export async function memory(checks: Checks): Promise<void> {
  buildBundles();
  mkdirSync(path.join(ROOT, '.fieldline'), { recursive: true });
  await inGroup(checks, 'hq', hub);
  await inGroup(checks, 'site', site);
}

interface Stage {
  checks: Checks;
  program: Program;
  group: MemoryGroup;
}

/** The `MemoryMax` of a unit, MB. */
export function givenMb(program: 'site' | 'hq'): number {
  const unit = readFileSync(path.join(ROOT, 'systemd', `fieldline-${program}.service`), 'utf8');
  const [, figure, sign] = /^MemoryMax=(\d+)([MG])$/m.exec(unit) ?? [];
  if (figure === undefined) throw new Error(`the unit of ${program} bounds no memory`);
  return Number(figure) * (sign === 'G' ? 1024 : 1);
}

async function inGroup(
  checks: Checks,
  name: 'site' | 'hq',
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(path.join(ROOT, '.fieldline', `memory-${name}-`));
  const limit = givenMb(name);
  const group = new MemoryGroup(name, limit);
  const env = name === 'site' ? { ...unitEnvironment(), CORE_FEEDBACK_NETWORKS: '127.0.0.0/8' } : {};
  let program: Program | null = null;
  try {
    program = await Program.start({
      program: name,
      port: await freePort(),
      dir,
      env,
      group: group.processes,
    });
    await play({ checks, program, group });
    checks.figure(`${name} under ${limit} MB: most in its group, files in memory too`, mb(group.peakMb));
    await checks.check(`${name}: nothing was killed for want of memory, and it serves`, async () => {
      expectEqual(group.kills, 0, 'processes that were killed');
      await program?.ready();
    });
  } finally {
    await program?.stop();
    await group.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

const mb = (value: number): string => `${value.toFixed(0)} MB`;

/** The most that a program held while something went on, and how long others waited for an answer. */
async function watched(
  { program, group }: Pick<Stage, 'program' | 'group'>,
  work: () => Promise<void>,
): Promise<{ programMb: number; groupMb: number; healthMs: number }> {
  const most = { programMb: 0, groupMb: 0, healthMs: 0 };
  let over = false;
  const looking = (async () => {
    while (!over) {
      const began = performance.now();
      const { status } = await request({
        url: urlOf(program),
        method: 'GET',
        path: '/healthz',
        timeoutMs: 60_000,
      });
      expectEqual(status, 200, 'health');
      most.healthMs = Math.max(most.healthMs, performance.now() - began);
      most.programMb = Math.max(most.programMb, program.memory().now);
      most.groupMb = Math.max(most.groupMb, group.heldMb);
      await sleep(LOOK_MS);
    }
  })();
  try {
    await work();
  } finally {
    over = true;
    await looking;
  }
  return most;
}

const urlOf = ({ port }: Program): string => `http://127.0.0.1:${port}`;

/** Headquarters with its own Postgres in the same group, over a large store. */
async function hub({ checks, program, group }: Stage): Promise<void> {
  await checks.check(`hq stores ${EVENTS} events of large payloads`, () => fill(program));
  const answers: Record<string, number> = {};
  let bytes = 0;
  const list = async (nth: number): Promise<void> => {
    const until = performance.now() + ASKING_MS;
    let cursor = '';
    while (performance.now() < until) {
      const answer = await request({
        url: urlOf(program),
        method: 'GET',
        path: `/api/core/events/list?limit=500&include_test=true${nth % 2 === 0 ? '' : '&severity=high'}${cursor}`,
        headers: ADMIN,
        timeoutMs: 120_000,
      });
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      bytes += answer.text.length;
      const { nextCursor = null } = JSON.parse(answer.text) as { nextCursor?: string | null };
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
    }
  };
  const most = await watched({ program, group }, async () => {
    await Promise.all(Array.from({ length: LISTS }, (_, nth) => list(nth)));
  });
  checks.figure(`hq: ${LISTS} lists at once for ${ASKING_MS / 1000} s: answers`, JSON.stringify(answers));
  checks.figure('  read', mb(bytes / 1024 / 1024));
  checks.figure('  longest wait for /healthz beside them', `${most.healthMs.toFixed(0)} ms`);
  checks.figure('  with its Postgres, most that no file backs', mb(most.groupMb));
  checks.atMost('  most resident memory of the hub', most.programMb, 1_000, 'MB');
  await checks.check('hq: the lists were answered', () =>
    expectEqual((answers['200'] ?? 0) > 50, true, `more than 50 answers 200 of ${JSON.stringify(answers)}`),
  );
}

async function fill(program: Program): Promise<void> {
  const key = await program.call<SigningKey>('POST', '/api/core/nodes', { tenant_code: 'T', name: 'camera' });
  const noise = Buffer.from(Array.from({ length: LARGE_BYTES * 2 }, (_, at) => 35 + ((at * 7_919) % 56)));
  const text = (nth: number): string => {
    const size = nth % LARGE_EVERY === 0 ? LARGE_BYTES : USUAL_BYTES;
    return noise.toString('latin1', nth % 4_000, (nth % 4_000) + size);
  };
  const batches = Array.from({ length: EVENTS / BATCH }, (_, at) => at * BATCH);
  const post = async (): Promise<void> => {
    for (let first = batches.pop(); first !== undefined; first = batches.pop()) {
      const events = Array.from({ length: BATCH }, (_, at) => ({
        idempotency_key: `m${(first ?? 0) + at}`,
        type: 'vehicle.intrusion',
        severity: at % 2 === 0 ? 'high' : 'low',
        payload: { seen: text((first ?? 0) + at) },
      }));
      await postEvents(program, key, JSON.stringify({ events }));
    }
  };
  await Promise.all([post(), post()]);
}

async function postEvents(program: Program, key: SigningKey, body: string): Promise<void> {
  const target = '/api/core/events';
  const answer = await request({
    url: urlOf(program),
    method: 'POST',
    path: target,
    headers: { 'content-type': 'application/json', ...signedHeaders(key, Date.now(), 'POST', target, body) },
    body,
    timeoutMs: 60_000,
  });
  if (answer.status > 299)
    throw new Error(`a batch was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
}

/** A site with nine devices that never come to an end, and a camera beside them. */
async function site({ checks, program, group }: Stage): Promise<void> {
  const devices: Endless[] = [
    await endlessAnswers('hikvision xml'),
    await endlessAnswers('hikvision jpeg'),
    await endlessAnswers('hikvision json'),
    await endlessAnswers('hikvision line'),
    await endlessAnswers('dahua'),
    await endlessAnswers('onvif'),
    await endlessBroker('axis'),
  ];
  const endings = devices.map(({ close }) => close);
  const before = program.memory().now;
  const most = await watched({ program, group }, async () => {
    for (const { kind, address } of devices)
      await program.call('POST', '/api/core/devices', {
        ...{ tenant_code: 'T', kind, name: address, address, user: 'u', password: 'pw12345678' },
      });
    endings.push(...(await endlessPosts(program)));
    await posting(checks, program);
    for (const end of endings) await end();
  });
  checks.figure('site: resident memory before', mb(before));
  checks.figure('  longest wait for /healthz beside them', `${most.healthMs.toFixed(0)} ms`);
  checks.figure('  most that no file backs', mb(most.groupMb));
  checks.atMost('  most resident memory with nine endless devices', most.programMb, 280, 'MB');
}

async function endlessPosts(program: Program): Promise<(() => Promise<void>)[]> {
  const path = async (kind: string, more: object = {}): Promise<string> => {
    const body = { tenant_code: 'T', kind, name: kind, ...more };
    return (await program.call<{ path: string }>('POST', '/api/core/devices', body)).path;
  };
  const json = (type: string) => ({ 'content-type': type });
  return [
    endlessPost(
      urlOf(program) + (await path('cloudevents')),
      '[{"a":"',
      json('application/cloudevents-batch+json'),
    ),
    endlessPost(
      urlOf(program) + (await path('webhook', { fields: { type: 'a' } })),
      '{"a":"',
      json('application/json'),
    ),
  ];
}

/** One event after the other, each of which must be stored. */
async function posting(checks: Checks, program: Program): Promise<void> {
  const key = await program.call<SigningKey>('POST', '/api/core/nodes', { tenant_code: 'T', name: 'camera' });
  const over = performance.now() + ENDLESS_MS;
  let [stored, longest] = [0, 0];
  while (performance.now() < over) {
    const began = performance.now();
    await until('an event is taken', async () => {
      const event = { idempotency_key: `s${stored}`, type: 'vehicle.intrusion', payload: { at: stored } };
      await postEvents(program, key, JSON.stringify(event));
      return true;
    });
    longest = Math.max(longest, performance.now() - began);
    stored += 1;
    await sleep(50);
  }
  checks.figure('site: events stored beside nine endless devices', String(stored));
  checks.figure('  the longest took', `${longest.toFixed(0)} ms`);
}
