/** Only records ingested at least this long ago are served (spec 2, "Pull rules" 4). */
export const WATERMARK_MS = 2_000;
const SAMPLE_EVERY_MS = 100;

/**
 * The safe watermark, kept on the monotonic clock beside the receipt times, so
 * that a wall clock that steps back hides nothing: an event is served when its
 * receipt time is 2 s old, or when this process saw it durable 2 s ago. Receipt
 * times ascend with ids, so that all before such an event are old enough too.
 */
export class Watermark {
  #samples: { head: number; at: number }[] = [];
  #safe = 0;

  /** @param highWaterMark newest durable id @param monotonic milliseconds of the monotonic clock */
  observe(highWaterMark: number, monotonic: number): void {
    const last = this.#samples.at(-1);
    if (!last || (highWaterMark > last.head && monotonic - last.at >= SAMPLE_EVERY_MS))
      this.#samples.push({ head: highWaterMark, at: monotonic });
    while (this.#samples[0] && monotonic - this.#samples[0].at >= WATERMARK_MS) {
      this.#safe = Math.max(this.#safe, this.#samples[0].head);
      this.#samples.shift();
    }
  }

  /** Newest id that this process saw durable long enough ago. */
  get safe(): number {
    return this.#safe;
  }
}
