// Sends hostile requests, in a process of its own.
import net from 'node:net';
import { type HostileJob, hostileRequests } from './hostile-requests.ts';
import { serveJobs } from './jobs.ts';

export interface HostileResult {
  /** Answers by status; `0`: none. */
  answers: Record<string, number>;
  /** Statuses by the kind of request. */
  byName: Record<string, string>;
  /** Bytes of the largest answer, the description of the API left aside. */
  largest: number;
}

const ANSWER_WITHIN_MS = 60_000;

interface Answered {
  status: number;
  bytes: number;
}

/** The server may answer and close before it has read the body. */
function exchange(port: number, bytes: Buffer): Promise<Answered> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let [status, size] = [0, 0];
    const done = (): void => {
      clearTimeout(late);
      socket.destroy();
      resolve({ status, bytes: size });
    };
    const late = setTimeout(done, ANSWER_WITHIN_MS);
    socket.on('data', (part: Buffer) => {
      if (size === 0) status = Number(part.toString('latin1', 9, 12));
      size += part.length;
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.write(bytes);
  });
}

serveJobs(async (job: HostileJob): Promise<HostileResult> => {
  const all = hostileRequests(job);
  const answers: Record<string, number> = {};
  const byName = new Map<string, Set<number>>();
  let [next, largest] = [0, 0];
  const client = async (): Promise<void> => {
    while (next < job.requests) {
      const { name, bytes } = all[next++ % all.length] as (typeof all)[number];
      const { status, bytes: size } = await exchange(job.port, bytes());
      answers[status] = (answers[status] ?? 0) + 1;
      byName.set(name, (byName.get(name) ?? new Set()).add(status));
      if (name !== 'the description') largest = Math.max(largest, size);
    }
  };
  await Promise.all(Array.from({ length: job.clients }, client));
  return {
    answers,
    largest,
    byName: Object.fromEntries([...byName].map(([name, statuses]) => [name, [...statuses].join(' ')])),
  };
});
