import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { say } from '../../common/message.ts';
import { type LinkFault, siteMessages } from '../site-messages.ts';
import { Attempts } from './attempts.ts';
import { hostPortOf, LinkWatch, type Probe, probeTcp } from './probe.ts';

/** `never`: headquarters has not answered since this store was made. */
export type LinkState = 'never' | 'up' | 'down';

interface LinkParts {
  clock: Clock;
  log: Logger;
  random: () => number;
}

/**
 * Whether headquarters can be reached: the state of the link, its failed attempts, the watch for its return.
 */
export class Link {
  readonly attempts = new Attempts();
  state: LinkState;
  /** The last failure was that headquarters took a connection and was silent. */
  #silent = false;
  /** Headquarters holds the calls of this site, and so tells at once what is new. */
  held = false;
  #probe: Probe;
  #watch: LinkWatch;
  readonly #parts: LinkParts;

  #onReturn: (() => void)[] = [];

  /** @param answeredBefore headquarters has answered before this start */
  constructor(answeredBefore: boolean, probe: Probe, parts: LinkParts) {
    this.state = answeredBefore ? 'down' : 'never';
    this.#probe = probe;
    this.#watch = new LinkWatch({
      probe,
      onReturn: () => {
        for (const told of this.#onReturn) told();
      },
    });
    this.#parts = parts;
  }

  /** @param told when a link that was down takes connections again */
  onReturn(told: () => void): void {
    this.#onReturn.push(told);
  }

  /** Still waiting after a failed attempt. */
  get backingOff(): boolean {
    return this.attempts.nextAt > this.#parts.clock.monotonic();
  }

  /**
   * After a failure a connection is tried before a whole batch is sent.
   * @returns what keeps it from opening
   */
  async fault(signal: AbortSignal): Promise<LinkFault | null> {
    // Where a connection opened and nobody answered, another one shows nothing, and behind a balancer it
    // would take the turn of the batch.
    if (this.attempts.failures === 0 || this.#silent) return null;
    const fault = await this.#probe(signal);
    return fault && { code: 'hub_unreachable', params: { fault } };
  }

  /**
   * Headquarters answered. @param good the answer was of use; otherwise it is reached, but does not work
   * @returns whether the link has just come up
   */
  async answered(good: boolean): Promise<boolean> {
    const cameUp = good && this.state !== 'up';
    this.state = good ? 'up' : this.state === 'never' ? 'never' : 'down';
    this.attempts.succeeded();
    await this.#watch.stop(true);
    return cameUp;
  }

  /** Headquarters did not answer. @param silent it took the connection */
  failed(fault: LinkFault, silent = false): void {
    this.#silent = silent;
    const retryInMs = this.attempts.failed(fault, this.#parts.clock.monotonic(), this.#parts.random());
    if (this.state === 'up') this.state = 'down';
    const reason = say(siteMessages, fault, 'en');
    this.#parts.log.warn({ failures: this.attempts.failures, retryInMs, reason }, 'uplink is down');
    this.#watch.start();
  }

  stop(): Promise<void> {
    return this.#watch.stop();
  }
}

/** The link to the headquarters at `url`; the parameters are those of `Link`. */
export function createLink(
  { url, probe, ...parts }: LinkParts & { url: string; probe?: Probe },
  answeredBefore: boolean,
): Link {
  const target = hostPortOf(url);
  return new Link(answeredBefore, probe ?? ((signal) => probeTcp(target, signal)), parts);
}
