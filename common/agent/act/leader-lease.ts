import type { Clock } from '../../clock.ts';
import type { AgentLease, AgentPort } from './port.ts';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/**
 * The lease by which one process at a time is the agent of a store, and the steady clock of that agent. The
 * steady clock starts at the wall time at which this process became the agent, or at the last steady time of
 * the store where that is later, and runs on with the monotonic clock. So it never falls, and a step of the
 * wall clock in either direction changes nothing while the process lives. After a restart with a wall clock
 * that was set back, only the time of the outage is not counted.
 */
export class LeaderLease {
  readonly holder: string;
  #agent: Pick<AgentPort, 'claim' | 'release'>;
  #clock: Clock;
  /** Steady minus monotonic milliseconds; null while another process is the agent. */
  #base: number | null = null;
  #renewedAt = 0;

  constructor(agent: Pick<AgentPort, 'claim' | 'release'>, clock: Clock) {
    this.holder = clock.newId();
    this.#agent = agent;
    this.#clock = clock;
  }

  get held(): boolean {
    return this.#base !== null;
  }

  /** Takes or renews the lease where that is due. @returns null while another process is the agent */
  async acquire(): Promise<AgentLease | null> {
    const monotonic = this.#clock.monotonic();
    if (this.#base === null || monotonic - this.#renewedAt >= RENEW_MS) {
      const claimed = await this.#agent.claim(this.holder, this.#clock.now(), LEASE_MS);
      if (!claimed) {
        this.lost();
        return null;
      }
      this.#base = Math.max(this.#base ?? this.#clock.now() - monotonic, claimed.steadyAt - monotonic);
      this.#renewedAt = monotonic;
    }
    return { holder: this.holder, steadyAt: Math.floor(this.#base + this.#clock.monotonic()) };
  }

  /** To be called when a write was refused because another process holds the lease now. */
  lost(): void {
    this.#base = null;
  }

  async release(): Promise<void> {
    if (this.#base === null) return;
    this.#base = null;
    await this.#agent.release(this.holder);
  }
}
