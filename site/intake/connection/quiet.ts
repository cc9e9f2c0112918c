/** Ends what nothing comes from. While a message is being stored the device is not listened to. */
export class QuietWatch {
  #ms: number;
  #onQuiet: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Messages that are being stored; a picture that is fetched for one is no sign of the next. */
  #storing = 0;
  #ended = false;

  constructor(ms: number, onQuiet: () => void) {
    this.#ms = ms;
    this.#onQuiet = onQuiet;
  }

  /** Begins with the first feeding: until then the steps of connecting have bounds of their own. */
  feed(): void {
    if (this.#ended || this.#storing > 0) return;
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(this.#onQuiet, this.#ms);
  }

  pause(): void {
    this.#storing += 1;
    this.#clear();
  }

  resume(): void {
    this.#storing -= 1;
    this.feed();
  }

  end(): void {
    this.#ended = true;
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
