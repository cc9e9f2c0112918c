import { spawn } from 'node:child_process';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';
import { Loop, stuckLoops } from './loop.ts';

/** What systemd said to this process, if it started it. */
export interface ServiceManagerAddress {
  /** NOTIFY_SOCKET. */
  socket: string;
  /** WATCHDOG_USEC as milliseconds; null without a watchdog. */
  watchdogMs: number | null;
}

/** Passes assignments on to the service manager. @throws Error when it cannot be reached */
export type Notify = (assignments: readonly string[]) => Promise<void>;

export interface ServiceManagerOptions {
  address: ServiceManagerAddress;
  /** One line of how it goes. */
  status: () => Promise<string>;
  log: Logger;
  notify?: Notify;
  monotonic?: () => number;
}

const NOTIFY_MS = 5_000;
const STATUS_MS = 30_000;
/** A round that takes longer than this hangs. */
export const STUCK_AFTER_MS = 600_000;

/**
 * Speaks to systemd: ready, how it goes, still alive, stopping. Node has no datagram sockets of the Unix
 * family, so the small program of systemd does it. Invariant: the watchdog is fed only while every loop of
 * this process finishes its rounds.
 */
export class ServiceManager {
  readonly loop: Loop;
  readonly #options: ServiceManagerOptions;
  #notify: Notify;
  #said = '';

  constructor(options: ServiceManagerOptions) {
    const { address, log } = options;
    this.#options = options;
    this.#notify = options.notify ?? systemdNotify(address.socket);
    const interval =
      address.watchdogMs === null ? STATUS_MS : Math.min(STATUS_MS, Math.floor(address.watchdogMs / 3));
    this.loop = new Loop({
      name: 'service manager',
      interval,
      log,
      backoff: { first: 1_000, cap: interval, jitter: 0 },
      round: () => this.round(),
    });
  }

  /** Everything works: what depends on this service may start. */
  async ready(): Promise<void> {
    await this.#notify(['READY=1', `STATUS=${await this.#options.status()}`]);
    this.loop.start();
  }

  async round(): Promise<void> {
    const stuck = stuckLoops(STUCK_AFTER_MS, this.#options.monotonic);
    const line =
      stuck.length > 0
        ? `these hang and the watchdog is not fed: ${stuck.join(', ')}`
        : await this.#options.status();
    const assignments = [
      ...(this.#options.address.watchdogMs !== null && stuck.length === 0 ? ['WATCHDOG=1'] : []),
      ...(line === this.#said ? [] : [`STATUS=${line}`]),
    ];
    if (stuck.length > 0)
      this.#options.log.error(
        { stuck },
        'background work hangs; the service manager will restart this process',
      );
    if (assignments.length > 0) await this.#notify(assignments);
    this.#said = line;
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    try {
      await this.#notify(['STOPPING=1', 'STATUS=stopping']);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the service manager could not be told that this stops');
    }
  }
}

/**
 * By the program `systemd-notify`, which waits until its message was read. Not by the npm package of that
 * name: it passes on ready, status, pid and booted only, so that it can neither feed the watchdog
 * (`WATCHDOG=1`) nor say that the service stops (`STOPPING=1`), and it starts the same program.
 */
function systemdNotify(socket: string): Notify {
  return (assignments) =>
    new Promise((resolve, reject) => {
      const child = spawn('systemd-notify', [...assignments], {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: NOTIFY_MS,
        env: { NOTIFY_SOCKET: socket, PATH: '/usr/bin:/bin' },
      });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, 500)));
      child.once('error', reject);
      child.once('exit', (code) =>
        code === 0
          ? resolve()
          : reject(new Error(`systemd-notify ended with ${code ?? 'a signal'}: ${said.trim()}`)),
      );
    });
}

/**
 * Says that everything works, once the store takes a write, and stays in touch; without a service manager
 * nothing.
 */
export async function notifyServiceManager(
  { serviceManager }: { serviceManager: ServiceManagerAddress | null },
  {
    store,
    lifecycle,
    ...parts
  }: { store: { probe(): Promise<void> }; lifecycle: Lifecycle; log: Logger; status: () => Promise<string> },
): Promise<void> {
  if (!serviceManager) return;
  const manager = new ServiceManager({ address: serviceManager, ...parts });
  lifecycle.onStop('service manager', () => manager.stop());
  await store.probe();
  await manager.ready();
}
