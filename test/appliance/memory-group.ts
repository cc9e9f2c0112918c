// A control group that bounds the memory of a program as its unit does, by either version of the kernel's
// interface.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OLD = '/sys/fs/cgroup/memory';
const NEW = '/sys/fs/cgroup';
const MB = 1024 * 1024;

export class MemoryGroup {
  readonly #dir: string;
  readonly #old: boolean;

  /** @param limitMb what it may hold: memory of processes, of the kernel for them, and files in memory */
  constructor(name: string, limitMb: number) {
    this.#old = existsSync(path.join(OLD, 'memory.limit_in_bytes'));
    this.#dir = path.join(this.#old ? OLD : NEW, `fieldline-${process.pid}-${name}`);
    if (!this.#old) writeFileSync(path.join(NEW, 'cgroup.subtree_control'), '+memory');
    mkdirSync(this.#dir);
    this.#write(this.#old ? 'memory.limit_in_bytes' : 'memory.max', String(limitMb * MB));
    // What cannot be held is not put elsewhere: a unit on a machine without swap.
    const swap = this.#old ? 'memory.memsw.limit_in_bytes' : 'memory.swap.max';
    if (existsSync(path.join(this.#dir, swap))) this.#write(swap, this.#old ? String(limitMb * MB) : '0');
  }

  /** The file that takes the id of a process. */
  get processes(): string {
    return path.join(this.#dir, 'cgroup.procs');
  }

  /** What its processes hold and no file backs, MB: the part that the kernel cannot take back. */
  get heldMb(): number {
    const name = this.#old ? 'total_rss' : 'anon';
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(this.#read('memory.stat'))?.[1]) / MB;
  }

  /** All that counts, files in memory too, at the most since the beginning, MB. */
  get peakMb(): number {
    return Number(this.#read(this.#old ? 'memory.max_usage_in_bytes' : 'memory.peak')) / MB;
  }

  /** How often the kernel ended a process of it for want of memory. */
  get kills(): number {
    const text = this.#read(this.#old ? 'memory.oom_control' : 'memory.events');
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
  }

  /** Once its processes have ended. */
  async remove(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return rmdirSync(this.#dir);
      } catch (error) {
        if ((error as { code?: string }).code !== 'EBUSY' || tries === 50) throw error;
        await sleep(100);
      }
    }
  }

  #read(file: string): string {
    return readFileSync(path.join(this.#dir, file), 'utf8');
  }

  #write(file: string, text: string): void {
    writeFileSync(path.join(this.#dir, file), text);
  }
}
