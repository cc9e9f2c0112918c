/**
 * Work that many ask for and one run of which serves them all. Invariants: at most one run at a time; a run
 * that someone is given begins after they asked, so that it sees what they wrote before.
 */
export class SingleFlight<T> {
  #work: () => Promise<T>;
  #running: Promise<T> | null = null;
  #next: Promise<T> | null = null;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  run(): Promise<T> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    const begin = (): Promise<T> => this.#begin();
    this.#next = this.#running.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<T> {
    this.#next = null;
    const running = this.#work().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}
