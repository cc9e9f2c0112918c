// Jobs for a process of one's own: the bench forks it and sends one job after another.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

type Reply = { result: unknown } | { error: string };

/** In the worker: answers each job, one at a time. */
export function serveJobs<J>(work: (job: J) => Promise<unknown> | unknown): void {
  process.on('message', (job) => {
    void Promise.resolve()
      .then(() => work(job as J))
      .then(
        (result): Reply => ({ result }),
        (error: unknown): Reply => ({
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      )
      .then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit());
}

/** In the bench: a worker process. */
export class Worker {
  readonly child: ChildProcess;

  constructor(file: string) {
    this.child = fork(new URL(file, import.meta.url), { execArgv: [] });
  }

  /** @throws Error with the worker's own words */
  async run<R>(job: object): Promise<R> {
    const done = new AbortController();
    const gone = once(this.child, 'exit', { signal: done.signal }).then(([code, signal]) => {
      throw new Error(`a bench worker ended: ${String(code ?? signal)}`);
    });
    this.child.send(job);
    try {
      const [reply] = (await Promise.race([once(this.child, 'message', { signal: done.signal }), gone])) as [
        Reply,
      ];
      if ('error' in reply) throw new Error(reply.error);
      return reply.result as R;
    } finally {
      gone.catch(() => undefined); // what it says after the job is nobody's
      done.abort();
    }
  }

  close(): void {
    this.child.kill('SIGKILL');
  }
}
