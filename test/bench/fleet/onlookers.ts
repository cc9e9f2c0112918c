// People and programs that work at headquarters meanwhile: lists, the status of the sites, verdicts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../program.ts';

const EVERY_MS = 200;

export interface Looked {
  what: string;
  p50: number;
  p99: number;
}

interface Look {
  what: string;
  once: () => Promise<unknown>;
}

export class OnLookers {
  #stopped = false;
  #running: Promise<Looked[]>;

  /** @param judging whether verdicts are given, which then wait for their sites for ever */
  constructor(hub: Program, judging: boolean) {
    const looks: Look[] = [
      { what: 'uplink/status', once: () => hub.call('GET', '/api/core/uplink/status') },
      { what: 'list of 50 events', once: () => hub.call('GET', '/api/core/events/list?limit=50') },
      ...(judging ? [{ what: 'verdict on the newest event', once: () => judgeNewest(hub) }] : []),
    ];
    this.#running = Promise.all(looks.map((look) => this.#keepLooking(look)));
    // A failure is told by `stop`.
    this.#running.catch(() => undefined);
  }

  /** @throws Error when one of them was refused */
  async stop(): Promise<Looked[]> {
    this.#stopped = true;
    return this.#running;
  }

  async #keepLooking({ what, once }: Look): Promise<Looked> {
    const times: number[] = [];
    while (!this.#stopped) {
      const started = performance.now();
      await once();
      times.push(performance.now() - started);
      await sleep(EVERY_MS);
    }
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return { what, p50: at(0.5), p99: at(0.99) };
  }
}

interface Listed {
  items: { id: number; verdict: unknown }[];
}

async function judgeNewest(hub: Program): Promise<void> {
  const { items } = await hub.call<Listed>('GET', '/api/core/events/list?limit=1');
  const [newest] = items;
  if (!newest || newest.verdict !== null) return;
  await hub.call('POST', `/api/core/events/${newest.id}/verdict`, { verdict: 'confirmed', by: 'bench' });
}
