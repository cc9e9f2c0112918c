// The load generator, a process of its own. The same code drives the product and the bare servers beside it.
import { Connection } from './connection.ts';
import { serveJobs } from './jobs.ts';
import { type EventRequests, eventRequests, request } from './requests.ts';

export interface PostJob {
  kind: 'post';
  port: number;
  clients: number;
  /** Measured time after the warm-up, milliseconds. */
  measureMs: number;
  warmupMs: number;
  events: EventRequests;
  /** Requests built ahead over all clients; a client that has used its own up is done. */
  built: number;
  /** Sends the same requests again and again: for servers that do not look at them. */
  repeat: boolean;
  /** Requests a second over all clients; without it each client sends the next at once. */
  perSecond?: number;
}

export interface GetJob {
  kind: 'get';
  port: number;
  target: string;
  headers: Record<string, string>;
  measureMs: number;
}

export interface RepeatJob {
  kind: 'repeat';
  port: number;
  clients: number;
  measureMs: number;
  warmupMs: number;
  /** Whole requests; each client sends them in turn, from a place of its own on. */
  requests: string[];
}

export interface PullJob {
  kind: 'pull';
  port: number;
  consumer: string;
  headers: Record<string, string>;
  limit: number;
}

export interface LoadResult {
  /** Answers within the measured time. */
  answers: number;
  /** Answers over the whole run, warm-up included. */
  allAnswers: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p99: number;
  max: number;
  /** Answers outside 2xx, by status. */
  refused: Record<string, number>;
}

export interface PullResult {
  events: number;
  pages: number;
  seconds: number;
}

export type LoadJob = PostJob | GetJob | RepeatJob | PullJob;

async function post(job: PostJob): Promise<LoadResult> {
  const each = Math.ceil(job.built / job.clients);
  const requests = Array.from({ length: job.clients }, (_, client) =>
    eventRequests(job.events, client, each),
  );
  const connections = await Promise.all(requests.map(() => Connection.open(job.port)));
  const run = new Run(job.warmupMs, job.measureMs);
  const everyMs = job.perSecond === undefined ? 0 : (1000 * job.clients) / job.perSecond;
  await Promise.all(
    connections.map((connection, client) => {
      const own = requests[client] as Buffer[];
      return run.drive(connection, (index) => (job.repeat ? own[index % own.length] : own[index]), {
        everyMs,
        firstMs: (everyMs * client) / job.clients,
      });
    }),
  );
  for (const connection of connections) connection.close();
  return run.result();
}

async function get(job: GetJob): Promise<LoadResult> {
  const connection = await Connection.open(job.port);
  const bytes = request('GET', job.target, job.headers);
  const run = new Run(0, job.measureMs);
  await run.drive(connection, () => bytes);
  connection.close();
  return run.result();
}

async function repeat({ port, clients, measureMs, warmupMs, requests }: RepeatJob): Promise<LoadResult> {
  const bytes = requests.map((text) => Buffer.from(text));
  const connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(port)));
  const run = new Run(warmupMs, measureMs);
  await Promise.all(
    connections.map((connection, client) => {
      const from = Math.floor((client * bytes.length) / clients);
      return run.drive(connection, (index) => bytes[(from + index) % bytes.length]);
    }),
  );
  for (const connection of connections) connection.close();
  return run.result();
}

class Run {
  #from: number;
  #until: number;
  /** When the first connection ended: what comes later is not under the full load, and not counted. */
  #full = Infinity;
  #last = 0;
  #all = 0;
  #times: number[] = [];
  #refused: Record<string, number> = {};

  constructor(warmupMs: number, measureMs: number) {
    this.#from = performance.now() + warmupMs;
    this.#until = this.#from + measureMs;
  }

  /**
   * Sends one request after another until the time is over or `next` has no more; with `pace` not before it
   * is due.
   */
  drive(
    connection: Connection,
    next: (index: number) => Buffer | undefined,
    pace = { everyMs: 0, firstMs: 0 },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      connection.onBroken(reject);
      const began = performance.now() + pace.firstMs;
      let index = 0;
      const step = (): void => {
        const early = began + index * pace.everyMs - performance.now();
        if (early > 0) setTimeout(go, early);
        else go();
      };
      const go = (): void => {
        const started = performance.now();
        const bytes = started < this.#until ? next(index++) : undefined;
        if (!bytes) {
          this.#full = Math.min(this.#full, started);
          resolve();
          return;
        }
        connection.send(bytes, ({ status }) => {
          this.#note(started, status);
          step();
        });
      };
      step();
    });
  }

  #note(started: number, status: number): void {
    const now = performance.now();
    this.#all += 1;
    if (status < 200 || status > 299) this.#refused[status] = (this.#refused[status] ?? 0) + 1;
    if (now < this.#from || now > this.#until || now > this.#full) return;
    this.#last = now;
    this.#times.push(now - started);
  }

  result(): LoadResult {
    const sorted = this.#times.sort((a, b) => a - b);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    const seconds = (this.#last - this.#from) / 1000;
    return {
      answers: sorted.length,
      allAnswers: this.#all,
      seconds,
      perSecond: sorted.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
      refused: this.#refused,
    };
  }
}

async function pull(job: PullJob): Promise<PullResult> {
  const connection = await Connection.open(job.port, true);
  const page = request(
    'GET',
    `/api/core/events/since?consumer=${job.consumer}&limit=${job.limit}`,
    job.headers,
  );
  const started = performance.now();
  let [events, pages] = [0, 0];
  for (let more = true; more; pages += 1) {
    const { status, pieces } = await connection.exchange(page);
    const tail = Buffer.concat(pieces.slice(-2)).toString('latin1').slice(-200);
    const found = /"nextCursor":(\d+),"hasMore":(true|false)/.exec(tail);
    if (status !== 200 || !found) throw new Error(`a pull was answered ${status}: ${tail}`);
    const cursor = Number(found[1]);
    const body = JSON.stringify({ consumer: job.consumer, cursor });
    const ack = await connection.exchange(request('POST', '/api/core/events/ack', job.headers, body));
    if (ack.status !== 200) throw new Error(`an ack was answered ${ack.status}`);
    events = cursor;
    more = found[2] === 'true';
  }
  const seconds = (performance.now() - started) / 1000;
  connection.close();
  return { events, pages, seconds };
}

serveJobs((job: LoadJob): Promise<LoadResult | PullResult> => {
  switch (job.kind) {
    case 'post':
      return post(job);
    case 'get':
      return get(job);
    case 'repeat':
      return repeat(job);
    case 'pull':
      return pull(job);
  }
});
