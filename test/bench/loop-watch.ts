// Loaded into a program before its own code: measures the longest stop of its event loop, and writes it down
// when asked by SIGUSR2.
import { writeFileSync } from 'node:fs';

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
let [longest, worked] = [0, 0];

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let [seen, cpu] = [performance.now(), cpuMs()];
setInterval(() => {
  const [now, cpuNow] = [performance.now(), cpuMs()];
  longest = Math.max(longest, now - seen - TICK_MS);
  worked = Math.max(worked, cpuNow - cpu);
  [seen, cpu] = [now, cpuNow];
}, TICK_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify({ longest, worked }));
  [longest, worked] = [0, 0];
});
