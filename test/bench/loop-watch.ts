// Loaded into a program before its own code: measures the longest stop of its event loop, and writes it down
// when asked by SIGUSR2. What the thread waited for a processor that others had is no stop of its own and is
// taken off; what it waited for a disk is not.
import { openSync, readSync, writeFileSync } from 'node:fs';

declare global {
  namespace NodeJS {
    interface Process {
      /** Of this thread, microseconds. */
      threadCpuUsage(): { user: number; system: number };
    }
  }
}

const TICK_MS = 1;
const file = process.env.BENCH_LOOP_FILE as string;
let [longest, clock, worked] = [0, 0, 0];

// Of the main thread, ns: on a processor, ready and waiting for one; and how often it was on one.
const schedule = openSync('/proc/self/schedstat', 'r');
const bytes = Buffer.alloc(128);
const queuedMs = (): number =>
  Number(bytes.toString('latin1', 0, readSync(schedule, bytes, 0, bytes.length, 0)).split(' ')[1]) / 1e6;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let [seen, cpu, queued] = [performance.now(), cpuMs(), queuedMs()];
setInterval(() => {
  const [now, cpuNow, queuedNow] = [performance.now(), cpuMs(), queuedMs()];
  const passed = now - seen - TICK_MS;
  clock = Math.max(clock, passed);
  longest = Math.max(longest, passed - (queuedNow - queued));
  worked = Math.max(worked, cpuNow - cpu);
  [seen, cpu, queued] = [now, cpuNow, queuedNow];
}, TICK_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify({ longest, clock, worked }));
  [longest, clock, worked] = [0, 0, 0];
});
