/** Epochs of one site that are remembered: of more copies than these at once, two are found all the same. */
const REMEMBERED = 4;
/** One change of epoch may bring an earlier one back twice: by what was under way on the two channels. */
const RETURNS = 3;
/** The same is told again at the earliest after this, ms. */
const TELL_EVERY_MS = 600_000;

interface Sender {
  /** The newest to speak comes last. */
  epochs: string[];
  /** How often an earlier epoch came back since the newest one first came. */
  returns: number;
  /** Monotonic ms. */
  toldAt: number;
}

/**
 * Finds two stores that speak under the name of one site, as when its disk was copied to a second machine: a
 * site that was put back leaves its epoch for ever, two take turns. Each process judges by what itself
 * receives.
 */
export class SenderWatch {
  #senders = new Map<string, Sender>();

  /** @param now monotonic ms @returns the epochs of both, when it is time to tell */
  saw(instance: string, epoch: string, now: number): { epoch: string; other: string } | null {
    const sender = this.#senders.get(instance) ?? { epochs: [], returns: 0, toldAt: -Infinity };
    this.#senders.set(instance, sender);
    const other = sender.epochs.at(-1);
    if (other === epoch) return null;
    sender.returns = sender.epochs.includes(epoch) ? sender.returns + 1 : 0;
    sender.epochs = [...sender.epochs.filter((one) => one !== epoch), epoch].slice(-REMEMBERED);
    if (other === undefined || sender.returns < RETURNS || now - sender.toldAt < TELL_EVERY_MS) return null;
    sender.toldAt = now;
    return { epoch, other };
  }
}
