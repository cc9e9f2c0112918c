import net from 'node:net';
import { transportFault, type TransportFault } from '../../common/http/client.ts';

/** Longest wait for a connection, ms. */
const CONNECT_MS = 2_000;
/** Pause between probes, ms. */
const PROBE_EVERY_MS = 500;
/** Successes in a row that are asked for at most before a link that disappointed is believed again. */
const MOST_PROOFS = 20;

export interface HostPort {
  host: string;
  port: number;
}

export function hostPortOf(address: string): HostPort {
  const url = new URL(address);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

/**
 * Opens a TCP connection, through DNS, and closes it.
 * @returns null when it opened, otherwise what went wrong
 */
export function probeTcp({ host, port }: HostPort, signal: AbortSignal): Promise<TransportFault | null> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: CONNECT_MS });
    const finish = (fault: TransportFault | null): void => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(fault);
    };
    const onAbort = (): void => finish({ code: 'stopped', params: {} });
    socket.once('connect', () => finish(null));
    socket.once('timeout', () => finish({ code: 'connection_late', params: { ms: CONNECT_MS } }));
    socket.once('error', ({ code, message }: Error & { code?: string }) =>
      finish(transportFault(`${host}:${port}`, code ?? '', message)),
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

export type Probe = (signal: AbortSignal) => Promise<TransportFault | null>;

export interface LinkWatchOptions {
  probe: Probe;
  /** Told when the link is back. */
  onReturn: () => void;
  /** Waits ms milliseconds, or less when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Notices at once, and cheaply, that the link to headquarters is back. A host
 * that takes connections but answers no request is not hammered: after a
 * return that proved false, one more successful probe in a row is asked for
 * each time, and the link must have been seen down in between.
 */
export class LinkWatch {
  #options: Required<LinkWatchOptions>;
  #abort: AbortController | null = null;
  #watching: Promise<void> = Promise.resolve();
  /** Returns announced since a request last succeeded. */
  #disappointments = 0;

  constructor(options: LinkWatchOptions) {
    this.#options = { sleep: sleepFor, ...options };
  }

  /** Begins to watch; without effect while it watches. */
  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#watching = this.#watch(this.#abort.signal);
  }

  /** Ends watching. @param proven a request got its answer: the link is good */
  async stop(proven = false): Promise<void> {
    if (proven) this.#disappointments = 0;
    this.#abort?.abort();
    this.#abort = null;
    await this.#watching;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let seenDown = this.#disappointments === 0;
    let proofs = 0;
    for (;;) {
      await this.#options.sleep(PROBE_EVERY_MS, signal);
      if (signal.aborted) return;
      const fault = await this.#options.probe(signal);
      if (signal.aborted) return;
      if (fault === null) proofs += 1;
      else {
        seenDown = true;
        proofs = 0;
      }
      if (seenDown && proofs >= Math.min(1 + this.#disappointments, MOST_PROOFS)) break;
    }
    this.#disappointments += 1;
    this.#abort = null;
    this.#options.onReturn();
  }
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
