/**
 * Work that many callers ask for and that one run does for all of them. Invariants: at most one run at a
 * time; the run that a caller is given begins after it asked, so that it sees what the caller wrote before.
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
