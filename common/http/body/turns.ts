/** So many at a time; the others wait their turn, first come first served. */
export class Turns {
  #atOnce: number;
  #working = 0;
  #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** @returns to be called, once, when the turn is over */
  async enter(): Promise<() => void> {
    if (this.#working >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#working += 1;
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working -= 1;
    };
  }
}
