/** Does what belongs to one name one after the other, and what belongs to others meanwhile. */
export class Turns {
  #last = new Map<string, Promise<unknown>>();

  /** @throws what `run` throws; the next one runs all the same */
  async take<T>(name: string, run: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(name) ?? Promise.resolve()).then(run, run);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
