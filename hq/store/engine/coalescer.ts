import { concernsStore } from './errors.ts';

interface Call<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs one statement or transaction at a time. Calls of this process that come meanwhile go together in the
 * next one, and each gets its own result. Where they fail together without the store being at fault, each is
 * run alone, because only one of them may have caused it.
 */
export class Coalescer<I, O> {
  #run: (items: I[]) => Promise<O[]>;
  #limit: number;
  #size: (item: I) => number;
  #apart: (item: I) => unknown;
  #waiting: Call<I, O>[] = [];
  #running: Promise<void> | null = null;

  /**
   * @param run gives one result an item, in order
   * @param limit largest sum of sizes of one run, unless one item alone is larger
   * @param size of an item; default 1
   * @param apart two items of which it is the same never go in one run; default: there are none such
   */
  constructor(
    run: (items: I[]) => Promise<O[]>,
    limit: number,
    size: (item: I) => number = () => 1,
    apart: (item: I) => unknown = (item) => item,
  ) {
    this.#run = run;
    this.#limit = limit;
    this.#size = size;
    this.#apart = apart;
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
    while (this.#waiting.length > 0) await this.#answer(this.#next());
    this.#running = null;
  }

  #next(): Call<I, O>[] {
    const taken = new Set<unknown>();
    let sum = 0;
    for (const { item } of this.#waiting) {
      sum += this.#size(item);
      if (taken.size > 0 && (sum > this.#limit || taken.has(this.#apart(item)))) break;
      taken.add(this.#apart(item));
    }
    return this.#waiting.splice(0, taken.size);
  }

  async #answer(calls: Call<I, O>[]): Promise<void> {
    try {
      const results = await this.#run(calls.map(({ item }) => item));
      for (const [index, call] of calls.entries()) call.resolve(results[index] as O);
    } catch (error) {
      if (calls.length === 1 || concernsStore(error)) for (const call of calls) call.reject(error);
      else for (const call of calls) await this.#answer([call]);
    }
  }
}
