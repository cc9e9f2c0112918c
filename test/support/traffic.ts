// A site's day: cameras post, people and machines judge at the site and at headquarters, all through whatever
// the link does.
import type { CameraClient } from './camera-client.ts';
import type { Ledger } from './ledger.ts';
import type { Program } from './process.ts';
import type { Random } from './random.ts';
import { type Answer, expectStatus, jsonOf } from './request.ts';

export interface TrafficOptions {
  site: Program;
  hub: Program;
  cameras: readonly CameraClient[];
  ledger: Ledger;
  random: Random;
}

interface Told {
  key: string;
  id: number;
}

export class Traffic {
  /** Keys that were judged, wherever. */
  readonly judged = new Set<string>();
  /** Keys that were corrected, each once, so that no two corrections race. */
  readonly corrected = new Set<string>();
  readonly counts = { atSite: 0, atHub: 0, lostAtSite: 0, corrections: 0, hubAway: 0 };
  #options: TrafficOptions;
  #told: Told[] = [];

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /**
   * Each camera posts `events` in its own sizes; after each post somebody may judge, and `step` is called.
   */
  async run(events: number, step: () => void = () => undefined): Promise<void> {
    const { cameras, random } = this.#options;
    await Promise.all(
      cameras.map(async (camera) => {
        for (let left = events; left > 0;) {
          const count = Math.min(left, random.chance(0.5) ? 1 : random.whole(2, 25));
          this.#told.push(...(await camera.post(count)));
          left -= count;
          await this.#judge();
          step();
        }
      }),
    );
  }

  async #judge(): Promise<void> {
    const { random } = this.#options;
    const dice = random.next();
    if (dice < 0.35) await this.judgeAtSite(random.pick(this.#told));
    else if (dice < 0.45) await this.correctAtSite();
    else if (dice < 0.6) await this.judgeAtHub();
  }

  async judgeAtSite({ key, id }: Told): Promise<void> {
    const { site, ledger } = this.#options;
    const answer = await site.api('POST', `/api/core/events/${id}/verdict`, this.#verdict(id, this.#told));
    ledger.sawStatus('a verdict at the site', answer.status, answer.text);
    const { changed } = jsonOf<{ changed: boolean }>(expectStatus(answer, 200));
    this.judged.add(key);
    if (changed) this.counts.atSite += 1;
    else this.counts.lostAtSite += 1;
  }

  async correctAtSite(): Promise<void> {
    const { site, ledger } = this.#options;
    const one = this.#told.find(({ key }) => this.judged.has(key) && !this.corrected.has(key));
    if (!one) return;
    this.corrected.add(one.key);
    const answer = await site.api('POST', `/api/core/events/${one.id}/corrections`, {
      verdict: 'false_alarm',
      by: 'li',
      note: 'looked again',
    });
    ledger.sawStatus('a correction at the site', answer.status, answer.text);
    // Judged at headquarters only, and not yet known here.
    if (answer.status === 409) this.corrected.delete(one.key);
    else {
      expectStatus(answer, 201);
      this.counts.corrections += 1;
    }
  }

  /** Somebody at headquarters judges one of the newest unjudged events; often the site is quicker. */
  async judgeAtHub(): Promise<void> {
    const { random } = this.#options;
    const page = await this.#atHub('GET', '/api/core/events/list?limit=60&verdict=none');
    if (!page) return;
    const { items } = jsonOf<{ items: { id: number; idempotencyKey: string }[] }>(page);
    if (items.length === 0) return;
    const { id, idempotencyKey } = random.pick(items);
    const answer = await this.#atHub('POST', `/api/core/events/${id}/verdict`, this.#verdict(id, items));
    if (!answer) return;
    if (jsonOf<{ changed: boolean }>(answer).changed) this.counts.atHub += 1;
    this.judged.add(idempotencyKey);
  }

  /** @returns null while the hub is down */
  async #atHub(method: string, path: string, body?: unknown): Promise<Answer | null> {
    const { hub, ledger } = this.#options;
    const answer = await hub.api(method, path, body).catch(() => null);
    if (answer) ledger.sawStatus(`${method} ${path} at the hub`, answer.status, answer.text);
    if (answer === null || answer.status === 503) {
      this.counts.hubAway += 1;
      return null;
    }
    return expectStatus(answer, 200);
  }

  #verdict(id: number, others: readonly { id: number }[]): Record<string, unknown> {
    const { random } = this.#options;
    const dice = random.next();
    const other = random.pick(others).id;
    if (dice < 0.2 && other !== id)
      return { verdict: 'merged', by: 'agent', by_kind: 'machine', merged_into: other };
    return dice < 0.6
      ? { verdict: 'confirmed', by: 'zhao' }
      : { verdict: 'false_alarm', by: 'wang', note: 'a shadow' };
  }
}
