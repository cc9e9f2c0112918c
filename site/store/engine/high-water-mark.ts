import type { DurabilityParticipant } from './sync.ts';

/** The newest number of a kind that is committed, and the newest that is durable. */
export class HighWaterMark implements DurabilityParticipant {
  #committed: number;
  #durable: number;

  /** @param durable the newest number in the database, all of which is durable */
  constructor(durable: number) {
    this.#committed = durable;
    this.#durable = durable;
  }

  get committed(): number {
    return this.#committed;
  }

  get durable(): number {
    return this.#durable;
  }

  /** Numbers up to this one were committed. */
  commit(newest: number): void {
    this.#committed = newest;
  }

  syncBegins(): () => void {
    const committed = this.#committed;
    return () => {
      this.#durable = committed;
    };
  }
}
