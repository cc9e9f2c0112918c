import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Long reads run on the main thread in pieces of about this, milliseconds; between them intake and pulls go
 * on.
 */
export const SLICE_MS = 2;
/** Slices of background work, during which every camera has to wait, milliseconds. */
export const BACKGROUND_SLICE_MS = 0.5;

/** Cuts a long piece of work into slices. */
export class Slices {
  #monotonic: () => number;
  #began: number;
  #until: number;
  #late: () => Error;
  #sliceMs: number;

  /** @param bounds after `withinMs` the work is ended with the error `late()`; a slice takes `sliceMs` */
  constructor(
    monotonic: () => number,
    bounds: { withinMs?: number; late?: () => Error; sliceMs?: number } = {},
  ) {
    this.#monotonic = monotonic;
    this.#sliceMs = bounds.sliceMs ?? SLICE_MS;
    this.#until = monotonic() + (bounds.withinMs ?? Infinity);
    this.#late = bounds.late ?? (() => new Error('a slice is late'));
    this.#began = performance.now();
  }

  /** To be awaited between the steps of the work. @throws the error of the limit */
  async step(): Promise<void> {
    if (this.#monotonic() > this.#until) throw this.#late();
    if (performance.now() - this.#began < this.#sliceMs) return;
    await nextTurn();
    this.#began = performance.now();
  }
}
