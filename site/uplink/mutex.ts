/** Runs one piece of work at a time, in the order of asking. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns what the work returns; its failure reaches the caller alone and does not hinder the next */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.then(ignore, ignore);
    return result;
  }
}

/** Whoever waits for the lock needs neither the result nor the failure of the work before it. */
function ignore(): void {
  return undefined;
}
