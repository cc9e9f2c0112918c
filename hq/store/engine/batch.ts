import { concernsStore } from './errors.ts';

interface Waiting<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Calls of this process that come while one statement or transaction runs go together in the next; each is
 * answered for itself. Where they fail together without the store being at fault, each is run alone: only one
 * of them may be.
 */
export class Batch<I, O> {
  #run: (items: I[]) => Promise<O[]>;
  #max: number;
  #waiting: Waiting<I, O>[] = [];
  #running: Promise<void> | null = null;

  /** @param run one result an item, in order @param max most items of one run */
  constructor(run: (items: I[]) => Promise<O[]>, max: number) {
    this.#run = run;
    this.#max = max;
  }

  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when everything added has been answered. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Calls made in the same turn of the event loop go together from the start.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#once(this.#waiting.splice(0, this.#max));
    this.#running = null;
  }

  async #once(calls: Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.#run(calls.map(({ item }) => item));
      for (const [index, call] of calls.entries()) call.resolve(results[index] as O);
    } catch (error) {
      if (calls.length === 1 || concernsStore(error)) for (const call of calls) call.reject(error);
      else for (const call of calls) await this.#once([call]);
    }
  }
}
