/** A site is looked up this often at most while nobody asks for anything here, ms. */
const EVERY_MS = 1_000;

/**
 * When the next answer to a site must look for what is wanted of it. A site that drains a backlog is answered
 * many times a second, and each look reads all that is open. What this process asks for is due at once; what
 * another process asks for, and what the site has been silent about, with the next look.
 */
export class DueLooks {
  #asked = 0;
  /** By the site; `epoch` is that of its store. */
  #looked = new Map<string, { epoch: string; at: number; asked: number }>();

  /** Something was asked of a site, and is stored. */
  asked(): void {
    this.#asked += 1;
  }

  /** What is wanted of the site was changed, by whichever process; null: of any. */
  changed(instance: string | null): void {
    if (instance === null) this.#looked.clear();
    else this.#looked.delete(instance);
  }

  /** Whether to look now; if so, it is taken for done. @param now monotonic ms */
  take({ instance, epoch }: { instance: string; epoch: string }, now: number): boolean {
    const before = this.#looked.get(instance);
    if (before?.epoch === epoch && before.asked === this.#asked && now - before.at < EVERY_MS) return false;
    this.#looked.set(instance, { epoch, at: now, asked: this.#asked });
    return true;
  }
}
