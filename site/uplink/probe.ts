import net from 'node:net';
import { transportFault } from '../../common/http/outbound/client.ts';
import type { TransportFault } from '../../common/http/outbound/transport-messages.ts';

/** Longest wait for a connection, ms. */
const CONNECT_MS = 2_000;
/** Pause between probes, ms. */
const PROBE_EVERY_MS = 500;
/** Most successful probes in a row that are asked for before a return is announced. */
const MOST_PROBES = 20;

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
  /** Called when the link is back. */
  onReturn: () => void;
  /** Waits ms milliseconds, or less when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Notices soon, and cheaply, that the link to headquarters is back. A host that takes connections but answers
 * no request is not flooded: after each return that proved false, one more successful probe in a row is asked
 * for, and a probe must have failed in between.
 */
export class LinkWatch {
  readonly #options: LinkWatchOptions;
  #abort: AbortController | null = null;
  #watching: Promise<void> = Promise.resolve();
  /** Returns announced since a request last succeeded. */
  #falseReturns = 0;

  constructor(options: LinkWatchOptions) {
    this.#options = options;
  }

  /** Begins to watch; without effect while it watches. */
  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#watching = this.#watch(this.#abort.signal);
  }

  /** Ends watching. @param proven a request was answered, so that the link is known to work */
  async stop(proven = false): Promise<void> {
    if (proven) this.#falseReturns = 0;
    this.#abort?.abort();
    this.#abort = null;
    await this.#watching;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let seenDown = this.#falseReturns === 0;
    let successes = 0;
    for (;;) {
      await (this.#options.sleep ?? sleepFor)(PROBE_EVERY_MS, signal);
      if (signal.aborted) return;
      const fault = await this.#options.probe(signal);
      if (signal.aborted) return;
      if (fault === null) successes += 1;
      else {
        seenDown = true;
        successes = 0;
      }
      if (seenDown && successes >= Math.min(1 + this.#falseReturns, MOST_PROBES)) break;
    }
    this.#falseReturns += 1;
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
