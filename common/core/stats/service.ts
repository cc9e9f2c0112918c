import type { Clock } from '../../clock.ts';
import { badRequest } from '../../http/error.ts';
import { asked, askedTasks, byCount, STATS_WITHIN_MS, windowFaults } from './decide.ts';
import type { KnowledgeCounts, StatsFilter, StatsPort, StatsQuery } from './port.ts';
import type { EventCount, KnowledgeCount, TaskCount } from './record.ts';

export interface StatsWindow {
  events: EventCount[];
  undated: EventCount[];
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
  readonly #options: StatsServiceOptions;

  constructor(options: StatsServiceOptions) {
    this.#options = options;
  }

  /**
   * Counts in the window [since, until), epoch ms.
   * @param shown `filter`: what is counted of the events; `account`: whose clearance limits what knowledge is
   * @throws AppError 400 for the window, 503 stats_timeout
   */
  async window(
    { tenantCode, since, until }: Pick<StatsQuery, 'tenantCode' | 'since' | 'until'>,
    { filter = {}, account }: { filter?: StatsFilter; account: string | null },
  ): Promise<StatsWindow> {
    const faults = windowFaults(since, until);
    if (faults.length > 0) throw badRequest(faults);
    const query = { tenantCode, since, until, asOf: this.#options.clock.now() };
    const started = this.#options.clock.monotonic();
    const { events, undated, tasks } = await this.#options.stats.window(query, STATS_WITHIN_MS);
    const left = Math.max(1, STATS_WITHIN_MS - (this.#options.clock.monotonic() - started));
    // Objects are of no site.
    const kinds = filter.instances
      ? []
      : await this.#options.knowledge.knowledgeCounts({ ...query, account }, left);
    return {
      events: byCount(asked(events, filter)),
      undated: byCount(asked(undated, filter)),
      tasks: byCount(askedTasks(tasks, filter)),
      knowledge: byCount(kinds),
      asOf: query.asOf,
    };
  }
}
