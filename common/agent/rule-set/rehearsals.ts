import { type Clock, type Stamp, stampOf } from '../../clock.ts';
import type { EventPort } from '../../core/event/port.ts';
import type { EventRecord } from '../../core/event/record.ts';
import { nextVersion } from '../../core/rule/decide.ts';
import type { RegisterRule, RuleRecord } from '../../core/rule/record.ts';
import { AppError } from '../../http/error.ts';
import { timeSlice } from '../../time-slice.ts';
import { asItCame, cameAt, Comparison } from './comparison.ts';
import { type LoadedRules, withDraft } from './load.ts';
import type { RuleSet } from './rule-set.ts';
import { type Shadowed, shadowedRules } from './shadowing.ts';

/** Of a process; each holds what it rehearses on in memory. */
const MOST_AT_ONCE = 2;
/** Events that are read at once; a page is parsed in one piece. */
const PAGE = 200;
/** After this long a rehearsal answers with what it has seen. */
const PATIENCE_MS = 20_000;

export interface RehearsalOptions {
  ruleSet: Pick<RuleSet, 'loaded'>;
  events: Pick<EventPort, 'list'>;
  clock: Clock;
}

export interface RehearsalOrder {
  /** Checked bodies; of one name the last counts. */
  draft: readonly RegisterRule[];
  /** null: every tenant. */
  tenantCode: string | null;
  /** Of occurrence, epoch ms. */
  since: number;
  until: number;
  /** The newest events that are looked at. */
  limit: number;
}

export interface PeriodRehearsal extends ReturnType<Comparison['result']> {
  /** Events that were looked at. */
  events: number;
  /** Every event of the period was. */
  complete: boolean;
  /** When the first and the last one came, epoch ms; null without any. */
  first: number | null;
  last: number | null;
  shadowed: ({ tenantCode: string } & Shadowed)[];
}

/**
 * Recorded events of a period by the rules in force and by a draft. Nothing is written; heavy work goes in
 * slices between which the event loop turns.
 */
export class Rehearsals {
  readonly #options: RehearsalOptions;
  #running = 0;

  constructor(options: RehearsalOptions) {
    this.#options = options;
  }

  /** @throws AppError 503 overloaded */
  async run(order: RehearsalOrder): Promise<PeriodRehearsal> {
    if (this.#running >= MOST_AT_ONCE)
      throw new AppError(503, 'overloaded', 'Others rehearse rules just now. Try again in a moment.', {
        retryAfterSeconds: 5,
      });
    this.#running += 1;
    try {
      return await this.#run(order);
    } finally {
      this.#running -= 1;
    }
  }

  async #run(order: RehearsalOrder): Promise<PeriodRehearsal> {
    const { ruleSet, clock } = this.#options;
    const { loaded } = ruleSet;
    const draft = drafted(loaded, order.draft, stampOf(clock));
    await timeSlice();
    const after = withDraft(loaded, draft);
    const named = new Set(
      draft.flatMap(({ kind, tenantCode, name }) =>
        kind === 'response' ? [JSON.stringify([tenantCode, name])] : [],
      ),
    );
    const comparison = new Comparison(loaded.tenants, after, (tenantCode, name) =>
      named.has(JSON.stringify([tenantCode, name])),
    );
    const responses = draft.filter(({ kind }) => kind === 'response');
    for (const { tenantCode, name } of responses) comparison.include(tenantCode, name);
    const deadline = clock.monotonic() + PATIENCE_MS;
    const { events, more } = await this.#read(order, deadline);
    const played = await this.#play(events, comparison, deadline);
    const tenants = Map.groupBy(responses, ({ tenantCode }) => tenantCode);
    return {
      ...comparison.result(),
      events: played.length,
      complete: !more && played.length === events.length,
      first: timeOf(played[0]),
      last: timeOf(played.at(-1)),
      shadowed: [...tenants].flatMap(([tenantCode, of]) =>
        shadowedRules(after.get(tenantCode)?.rules ?? [], new Set(of.map(({ name }) => name))).map((one) => ({
          tenantCode,
          ...one,
        })),
      ),
    };
  }

  /** The newest events of the period in the order in which they came. */
  async #read(
    { tenantCode, since, until, limit }: RehearsalOrder,
    deadline: number,
  ): Promise<{ events: EventRecord[]; more: boolean }> {
    const filter = { tenantCode, since, until, includeTest: false };
    const found: EventRecord[] = [];
    for (;;) {
      const room = Math.min(PAGE, limit - found.length + 1);
      const page = await this.#options.events.list(filter, found.at(-1)?.id ?? null, room);
      for (const event of page) {
        await timeSlice();
        found.push(asItCame(event));
      }
      const done = page.length < room;
      if (!done && found.length <= limit && this.#options.clock.monotonic() < deadline) continue;
      const events = found.slice(0, limit).sort((a, b) => cameAt(a) - cameAt(b) || a.id - b.id);
      return { events, more: !done || found.length > limit };
    }
  }

  async #play(
    events: readonly EventRecord[],
    comparison: Comparison,
    deadline: number,
  ): Promise<readonly EventRecord[]> {
    for (const [index, event] of events.entries()) {
      await timeSlice();
      if (this.#options.clock.monotonic() > deadline) return events.slice(0, index);
      comparison.add(event);
    }
    return events;
  }
}

/** What would be registered, one after another. */
function drafted(
  { rules }: Pick<LoadedRules, 'rules'>,
  registrations: readonly RegisterRule[],
  stamp: Stamp,
): RuleRecord[] {
  const made: RuleRecord[] = [];
  for (const rule of registrations) {
    const same = (one: RuleRecord): boolean =>
      one.tenantCode === rule.tenantCode && one.kind === rule.kind && one.name === rule.name;
    const at = made.findIndex(same);
    const next = nextVersion(made[at] ?? rules.find(same) ?? null, rule, stamp);
    if (at < 0) made.push(next);
    else made[at] = next;
  }
  return made;
}

const timeOf = (event: EventRecord | undefined): number | null => (event ? cameAt(event) : null);
