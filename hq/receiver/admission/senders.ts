/** Epochs that are remembered of one site. With more copies than these, two of them are still found. */
const REMEMBERED = 4;
/**
 * Returns of an earlier epoch that show two senders. One change of epoch brings an earlier one back once, by
 * the call that was under way on another connection of the site, and then the new one.
 */
const RETURNS = 3;
/** The same finding is reported again at the earliest after this, ms. */
const TELL_EVERY_MS = 600_000;

interface Sender {
  /** In the order in which they last called, newest last. */
  epochs: string[];
  /** How often an earlier epoch has come back in a row since the last new one. */
  returns: number;
  /** Monotonic ms. */
  toldAt: number;
  /** When the calls last showed two, monotonic ms. */
  doubledAt: number;
}

/**
 * Finds two stores that send under the name of one site, as when a disk was copied to a second machine. A
 * site that was restored leaves its old epoch for ever, whereas two senders alternate. Each hub process
 * judges by the calls that it receives itself.
 */
export class SenderWatch {
  #senders = new Map<string, Sender>();

  /** @param now monotonic ms @returns the epochs of both, when it is time to tell */
  saw(instance: string, epoch: string, now: number): { epoch: string; other: string } | null {
    const sender = this.#senders.get(instance) ?? NOBODY();
    this.#senders.set(instance, sender);
    const other = sender.epochs.at(-1);
    if (other === epoch) return null;
    sender.returns = sender.epochs.includes(epoch) ? sender.returns + 1 : 0;
    sender.epochs = [...sender.epochs.filter((one) => one !== epoch), epoch].slice(-REMEMBERED);
    if (other === undefined || sender.returns < RETURNS) return null;
    sender.doubledAt = now;
    if (now - sender.toldAt < TELL_EVERY_MS) return null;
    sender.toldAt = now;
    return { epoch, other };
  }

  /** Whether two have sent under this name of late. @param now monotonic ms */
  doubled(instance: string, now: number): boolean {
    return now - (this.#senders.get(instance)?.doubledAt ?? -Infinity) < TELL_EVERY_MS;
  }
}

const NOBODY = (): Sender => ({ epochs: [], returns: 0, toldAt: -Infinity, doubledAt: -Infinity });
