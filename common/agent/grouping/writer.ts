import type { Clock } from '../../clock.ts';
import type { EventPort } from '../../core/event/port.ts';
import type { IncidentService } from '../../core/incident/service.ts';
import type { LeftOutPort } from '../../core/left-out/port.ts';
import { RowByRow } from '../../core/left-out/row-by-row.ts';
import { AppError } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import type { LeaderLease } from '../act/leader-lease.ts';
import type { AgentPort } from '../act/port.ts';
import { AGENT, AGENT_ACTOR } from '../act/record.ts';
import type { ChainRecord } from './record.ts';

const INTERVAL_MS = 1_000;
const AT_ONCE = 50;
/** Events of one upsert. */
const EVENTS = 500;

export interface IncidentWriterOptions {
  agent: AgentPort;
  leader: LeaderLease;
  incidents: Pick<IncidentService, 'upsert'>;
  events: Pick<EventPort, 'get'>;
  leftOut: LeftOutPort;
  clock: Clock;
  log: Logger;
}

/**
 * Writes groups back through the incident upsert; its source key makes a repetition after a kill harmless.
 */
export class IncidentWriter {
  readonly loop: Loop;
  readonly counts = { written: 0, skipped: 0 };
  readonly #options: IncidentWriterOptions;
  #rows: RowByRow;

  constructor(options: IncidentWriterOptions) {
    this.#options = options;
    const { leftOut: port, clock, log } = options;
    this.#rows = new RowByRow({ work: 'incident groups', port, clock, log });
    this.loop = new Loop({
      name: 'incident groups',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    if (!(await this.#options.leader.acquire())) return { again: false };
    const chains = await this.#options.agent.unwrittenChains(this.#options.clock.now(), AT_ONCE);
    for (const chain of chains) {
      if (signal.aborted) return { again: false };
      const eventIds = chain.pending.slice(0, EVENTS);
      await this.#rows.take({ tenantCode: chain.tenantCode, rowId: eventIds[0] ?? 0 }, async () => {
        await this.#write(chain, eventIds);
        await this.#options.agent.chainWritten(chain, eventIds);
      });
    }
    return { again: chains.length === AT_ONCE };
  }

  async #write(chain: ChainRecord, eventIds: readonly number[]): Promise<void> {
    try {
      await this.#upsert(chain, eventIds);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 400) throw error;
      const kept = await this.#kept(eventIds);
      if (kept.length === eventIds.length) throw error;
      // Retention has deleted the others meanwhile.
      if (kept.length > 0) await this.#upsert(chain, kept);
    }
  }

  async #upsert(
    { tenantCode, sourceKey, layer, siteRef, pointRef }: ChainRecord,
    eventIds: readonly number[],
  ): Promise<void> {
    const { skipped } = await this.#options.incidents.upsert(
      {
        tenant_code: tenantCode,
        source_key: sourceKey,
        layer,
        site_ref: siteRef,
        ...(pointRef === null ? {} : { point_ref: pointRef }),
        event_ids: [...eventIds],
      },
      AGENT_ACTOR,
      AGENT,
    );
    this.counts.written += 1;
    this.counts.skipped += skipped.length;
  }

  async #kept(eventIds: readonly number[]): Promise<number[]> {
    const found = await Promise.all(eventIds.map((id) => this.#options.events.get(id)));
    return eventIds.filter((_, index) => found[index] !== null);
  }
}
