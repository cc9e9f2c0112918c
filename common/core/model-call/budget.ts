import type { Clock } from '../../clock.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { dayAt, keptFrom, stageOf } from './decide.ts';
import { modelCallMessages } from './model-call-messages.ts';
import type { ModelCallPort } from './port.ts';
import type { ModelCallKind } from './record.ts';

/** Days that are looked through for alarms that stand although their day is over. */
const LOOKED_BACK = 31;

const TOLD = {
  summary: { what: 'model_summary', then: 'model_no_summaries', variable: 'AGENT_LLM_CALLS_PER_DAY' },
  embedding: { what: 'model_embedding', then: 'model_no_vectors', variable: 'CORE_EMBED_CALLS_PER_DAY' },
} as const;

export interface ModelBudgetOptions {
  kind: ModelCallKind;
  /** Most calls for a tenant a day. */
  most: number;
  calls: ModelCallPort;
  alarms: AlarmPort;
  instance: string;
  clock: Clock;
}

/** How often a model may be called for a tenant a day; from 80 % on people are told. */
export class ModelBudget {
  /** Calls made and refused by this process. */
  readonly counts = { made: 0, refused: 0 };
  readonly kind: ModelCallKind;
  get most(): number {
    return this.#options.most;
  }
  readonly #options: ModelBudgetOptions;
  /** What was told by tenant, with its day. */
  #told = new Map<string, string>();
  #day: string | null = null;

  constructor(options: ModelBudgetOptions) {
    this.kind = options.kind;
    this.#options = options;
  }

  /** Counts a call that is about to be made. False: all of the day were made, and it must not be. */
  async take(tenantCode: string): Promise<boolean> {
    const now = this.#options.clock.now();
    const day = dayAt(now);
    const calls = await this.#options.calls.take({ tenantCode, day, kind: this.kind }, this.most);
    this.counts[calls === null ? 'refused' : 'made'] += 1;
    await this.#tell(tenantCode, day, calls);
    return calls !== null;
  }

  /** What the model says that a call has used. */
  async addTokens(tenantCode: string, tokens: number): Promise<void> {
    if (tokens > 0)
      await this.#options.calls.addTokens(
        { tenantCode, day: dayAt(this.#options.clock.now()), kind: this.kind },
        tokens,
      );
  }

  /** Whether the calls of today are made, as far as this process has seen. */
  isSpent(tenantCode: string): boolean {
    return this.#told.get(tenantCode) === `${dayAt(this.#options.clock.now())} spent`;
  }

  /** On a new day, and once after a start: what was told of the days before is over. */
  async round(): Promise<void> {
    const now = this.#options.clock.now();
    const day = dayAt(now);
    if (this.#day === day) return;
    const known = await this.#options.calls.list(null, dayAt(now, LOOKED_BACK), this.kind);
    const standing = new Set(
      known
        .filter((one) => one.day === day && stageOf(one.calls, this.most) !== null)
        .map(({ tenantCode }) => tenantCode),
    );
    for (const tenantCode of new Set(known.map((one) => one.tenantCode)))
      if (!standing.has(tenantCode)) await this.#options.alarms.clear(this.#key(tenantCode), null, now);
    await this.#options.calls.forgetBefore(keptFrom(now));
    this.#day = day;
  }

  #key(tenantCode: string): string {
    return `model_calls:${this.kind}:${tenantCode}`;
  }

  /** Once a day and stage. */
  async #tell(tenantCode: string, day: string, calls: number | null): Promise<void> {
    const stage = stageOf(calls, this.most);
    const [before, told] = [this.#told.get(tenantCode), `${day} ${stage}`];
    if (stage === null || before === told || before === `${day} spent`) return;
    this.#told.set(tenantCode, told);
    const { what, then, variable } = TOLD[this.kind];
    const params = {
      tenant: tenantCode,
      most: this.most,
      what: { code: what, params: {} },
      then: { code: then, params: {} },
      variable,
    };
    await this.#options.alarms.raise(
      {
        key: this.#key(tenantCode),
        instance: this.#options.instance,
        tenantCode,
        severity: 'warning',
        shared: true,
        ...alarmText(
          modelCallMessages,
          stage === 'near'
            ? { code: 'model_calls_near', params: { ...params, calls: calls ?? this.most } }
            : { code: 'model_calls_spent', params },
          { kind: this.kind, day, most: this.most },
        ),
      },
      this.#options.clock.now(),
    );
  }
}
