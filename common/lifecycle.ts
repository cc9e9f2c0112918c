import type { Logger } from './log.ts';

interface Step {
  name: string;
  stop: () => Promise<void> | void;
}

/**
 * Teardown in reverse order of start. Each step is named, bounded in time and
 * reported on its own; calling `stop` again returns the same promise.
 */
export class Lifecycle {
  #steps: Step[] = [];
  #stopping: Promise<void> | null = null;
  #log: Logger;
  #boundMs: number;

  constructor(log: Logger, boundMs = 5_000) {
    this.#log = log;
    this.#boundMs = boundMs;
  }

  onStop(name: string, stop: Step['stop']): void {
    this.#steps.push({ name, stop });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const step of this.#steps.reverse()) {
      try {
        await bounded(
          Promise.resolve().then(() => step.stop()),
          this.#boundMs,
          step.name,
        );
      } catch (error) {
        this.#log.error({ err: error, step: step.name }, 'stop step failed');
      }
    }
  }
}

async function bounded(work: Promise<void>, ms: number, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not stop within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
