// A site of ours that sends the worst that the wire allows, in a process of its own; or, as the floor beside
// it, one that brings honest events as fast as it is answered.
import net from 'node:net';
import { Agent, request } from 'undici';
import { signedHeaders } from '../../common/http/signing/signature.ts';
import { STATES_PATH } from '../../common/uplink/evidence.ts';
import { INBOX_PATH } from '../../common/uplink/inbox.ts';
import { NOTIFICATIONS_PATH } from '../../common/uplink/notification.ts';
import { PROTOCOL } from '../../common/uplink/wire.ts';
import { type FleetSite, SpokenFor } from './fleet/site.ts';
import { serveJobs } from './jobs.ts';

export interface HostileSiteJob {
  port: number;
  site: FleetSite;
  as: 'honest' | 'hostile';
  /** Calls under way at once. */
  atOnce: number;
  measureMs: number;
}

export interface HostileSiteResult {
  calls: number;
  /** Answers by what was sent; `0`: none. */
  byName: Record<string, Record<string, number>>;
}

const EVENTS = '/api/core/uplink/events';
const BATCH = 1_000;
const SIZE = 64 * 1024;
/** A chunk of a body. */
const CHUNK = Buffer.from(`${SIZE.toString(16)}\r\n${' '.repeat(SIZE)}\r\n`);
const CALL_MS = 60_000;

/** Calls in turn, each a target and a body; numbers never come again. */
class HostileSite {
  readonly #site: FleetSite;
  #no = 0;
  /** Position on the events channel under the epoch that goes on. */
  #position = 0;

  constructor(site: FleetSite) {
    this.#site = site;
  }

  readonly kinds: Readonly<Record<string, () => [target: string, body: object]>> = {
    'a batch of 1,000 items of which each is refused': () => [EVENTS, this.#refused()],
    'a batch under an epoch that nobody has seen': () => [EVENTS, this.#otherEpoch()],
    'a report of 100 critical alarms of 2,000 letters': () => [EVENTS, this.#reporting()],
    '50 notifications': () => [NOTIFICATIONS_PATH, this.#notifications()],
    '600 announcements of evidence': () => [STATES_PATH, this.#evidence()],
    'a call that is held': () => [INBOX_PATH, { ...this.#head('h'), hold_ms: 500, after: 0, hub_epoch: '' }],
  };

  /** Takes what headquarters answered, so that the next batch is looked at too. */
  answered(text: string): void {
    const { cursor, known } = JSON.parse(text) as { cursor?: number; known?: number };
    this.#position = Math.max(this.#position, cursor ?? known ?? 0);
  }

  #head(epoch: string): object {
    return { protocol: PROTOCOL, version: '0.1.0', instance: this.#site.instance, epoch };
  }

  #items(from: number, count: number, doc: object): object[] {
    return Array.from({ length: count }, (_, at) => ({
      ...{ origin_id: from + at + 1, received_at: Date.now(), tenant_code: this.#site.tenant },
      idempotency_key: `h-${(this.#no += 1)}`,
      ...{ type: 'a.b', kind: 'alert', source: 'video', severity: 'critical', is_test: false, doc },
    }));
  }

  #refused(): object {
    const from = this.#position;
    const to = from + BATCH;
    const items = this.#items(from, BATCH, { siteRef: 'x'.repeat(3_000) });
    return { ...this.#head('goes-on'), head: to, oldest: 0, cursor: { from, to }, items };
  }

  #otherEpoch(): object {
    const items = this.#items(0, 10, { title: 'again' });
    return { ...this.#head(`e-${(this.#no += 1)}`), head: 10, oldest: 0, cursor: { from: 0, to: 10 }, items };
  }

  #reporting(): object {
    const alarms = Array.from({ length: 100 }, () => ({
      ...{ key: `k-${(this.#no += 1)}`, severity: 'critical', message: 'x'.repeat(2_000) },
      raised_at: new Date().toISOString(),
    }));
    const order = { run: 'r', no: (this.#no += 1) };
    const disk = { level: 'ok', room_bytes: 1, used_bytes: 1, refused: 0 };
    const shed = { evidence: 0, evidence_bytes: 0, observations: 0, events: 0 };
    const report = {
      ...{ at: new Date().toISOString(), order, state: 'ok', storing: true, disk, shed },
      ...{ clock_suspect: false, life_used_percent: null, silent_cameras: 0, alarms },
    };
    const at = this.#position;
    return { ...this.#head('goes-on'), head: at, oldest: 0, cursor: { from: at, to: at }, report, items: [] };
  }

  #notifications(): object {
    const items = Array.from({ length: 50 }, () => ({
      ...{ id: `n-${(this.#no += 1)}`, tenant_code: this.#site.tenant, event_key: null, kind: 'task' },
      ...{ channel: 'chat', rule_name: null, severity: 'critical', message: 'x'.repeat(4_000) },
      ...{ is_test: false, created_at: Date.now() },
    }));
    return { ...this.#head('goes-on'), backlog: 1_000_000, items, asked: [] };
  }

  #evidence(): object {
    const files = (): object[] =>
      Array.from({ length: 200 }, () => ({
        ...{ tenant_code: this.#site.tenant, event_key: `h-${1 + (this.#no % 1_000)}`, at: Date.now() },
        name: `f-${(this.#no += 1)}`,
      }));
    const states = files().map((_, at) => ({
      want_id: `w-${at}`,
      state: 'failed',
      reason: 'x'.repeat(1_000),
    }));
    const backlog = { files: 1_000_000, bytes: 10 ** 15 };
    return { ...this.#head('goes-on'), mode: 'critical', backlog, states, offers: files(), gone: files() };
  }
}

/** A body that does not end, until it is cut off. @returns the status that came, 0: none */
function endless(port: number, { keyId }: FleetSite): Promise<number> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let status = 0;
    const late = setTimeout(() => socket.destroy(), CALL_MS);
    // As a line of 100 Mbit/s brings it: no more than that is the machine, which the generator shares.
    const pouring = setInterval(() => socket.writableNeedDrain || socket.write(CHUNK), 5);
    socket.on('data', (part: Buffer) => (status ||= Number(part.toString('latin1', 9, 12))));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      clearInterval(pouring);
      resolve(status);
    });
    socket.write(
      `POST ${EVENTS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-core-key: ${keyId}\r\n` +
        `x-core-timestamp: ${Math.floor(Date.now() / 1000)}\r\nx-core-signature: v1=${'0'.repeat(64)}\r\n` +
        'transfer-encoding: chunked\r\n\r\n',
    );
  });
}

async function hostile({ port, site, atOnce, measureMs }: HostileSiteJob, tally: Tally): Promise<void> {
  const until = performance.now() + measureMs;
  const speaker = new HostileSite(site);
  const names = [...Object.keys(speaker.kinds), 'a body without end'];
  const agent = new Agent({ connections: atOnce });
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const name = names[next++ % names.length] ?? '';
      const make = speaker.kinds[name];
      if (!make) {
        tally.add(name, await endless(port, site));
        continue;
      }
      const [target, body] = make();
      const text = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        ...signedHeaders(site, Date.now(), 'POST', target, text),
      };
      try {
        const url = `http://127.0.0.1:${port}${target}`;
        const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body: text });
        const said = await answer.body.text();
        if (target === EVENTS) speaker.answered(said);
        tally.add(name, answer.statusCode);
      } catch {
        tally.add(name, 0); // the connection was cut off
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  await agent.destroy();
}

async function honest({ port, site, measureMs }: HostileSiteJob, tally: Tally): Promise<void> {
  const until = performance.now() + measureMs;
  const speaker = new SpokenFor(port, site);
  while (performance.now() < until) tally.add('events', (await speaker.call(BATCH)).status);
  speaker.close();
}

class Tally implements HostileSiteResult {
  calls = 0;
  byName: Record<string, Record<string, number>> = {};

  add(name: string, status: number): void {
    this.calls += 1;
    const own = (this.byName[name] ??= {});
    own[status] = (own[status] ?? 0) + 1;
  }
}

serveJobs(async (job: HostileSiteJob): Promise<HostileSiteResult> => {
  const tally = new Tally();
  await (job.as === 'hostile' ? hostile(job, tally) : honest(job, tally));
  return { calls: tally.calls, byName: tally.byName };
});
