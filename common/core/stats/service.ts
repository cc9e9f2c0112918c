import type { Clock } from '../../clock.ts';
import { badRequest } from '../../http/error.ts';
import { byCount, windowFaults } from './decide.ts';
import type { KnowledgeCounts, StatsPort } from './port.ts';
import type { EventCount, KnowledgeCount, TaskCount } from './record.ts';

/** Longest aggregation (spec 2, "Limits"). */
const STATS_WITHIN_MS = 15_000;

export interface StatsWindow {
  events: EventCount[];
  tasks: TaskCount[];
  knowledge: KnowledgeCount[];
  /** Epoch ms. */
  asOf: number;
}

export interface StatsServiceOptions {
  stats: StatsPort;
  knowledge: KnowledgeCounts;
  clock: Clock;
}

export class StatsService {
  #stats: StatsPort;
  #knowledge: KnowledgeCounts;
  #clock: Clock;

  constructor({ stats, knowledge, clock }: StatsServiceOptions) {
    this.#stats = stats;
    this.#knowledge = knowledge;
    this.#clock = clock;
  }

  /** Counts in the window [since, until), epoch ms. @throws AppError 400 for the window, 503 stats_timeout */
  async window(tenantCode: string, since: number, until: number): Promise<StatsWindow> {
    const faults = windowFaults(since, until);
    if (faults.length > 0) throw badRequest(faults);
    const query = { tenantCode, since, until, asOf: this.#clock.now() };
    const started = this.#clock.monotonic();
    const { events, tasks } = await this.#stats.window(query, STATS_WITHIN_MS);
    const left = Math.max(1, STATS_WITHIN_MS - (this.#clock.monotonic() - started));
    const kinds = await this.#knowledge.knowledgeCounts(query, left);
    return { events: byCount(events), tasks: byCount(tasks), knowledge: byCount(kinds), asOf: query.asOf };
  }
}
