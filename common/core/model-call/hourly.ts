import type { Clock } from '../../clock.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { modelCallMessages } from './model-call-messages.ts';

const HOUR_MS = 3_600_000;

export interface HourlyCallsOptions {
  /** Most calls for a rule of a tenant within an hour. */
  most: number;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  instance: string;
  clock: Clock;
}

interface Rule {
  tenantCode: string;
  ruleName: string;
  /** Monotonic times of the calls of the last hour. */
  calls: number[];
  /** Whether people were told that no more are made. */
  told: boolean;
}

/**
 * How often a rule may have a model called within an hour, so that one that fires without end does not spend
 * what the others have for the day. Counted in memory: a start begins anew, the calls of the day do not.
 */
export class HourlyCalls {
  /** Calls that were refused. */
  refused = 0;
  readonly #options: HourlyCallsOptions;
  readonly #rules = new Map<string, Rule>();

  constructor(options: HourlyCallsOptions) {
    this.#options = options;
  }

  /** Counts a call that is about to be made. False: all of the hour were made, and it must not be. */
  async take(tenantCode: string, ruleName: string): Promise<boolean> {
    const key = `${tenantCode}\n${ruleName}`;
    const rule = this.#rules.get(key) ?? { tenantCode, ruleName, calls: [], told: false };
    this.#rules.set(key, rule);
    const now = this.#options.clock.monotonic();
    rule.calls = rule.calls.filter((at) => at > now - HOUR_MS);
    if (rule.calls.length < this.#options.most) {
      rule.calls.push(now);
      return true;
    }
    this.refused += 1;
    if (!rule.told) await this.#tell(rule);
    return false;
  }

  /** What was told is over where a call may be made again. */
  async round(): Promise<void> {
    const before = this.#options.clock.monotonic() - HOUR_MS;
    for (const [key, rule] of this.#rules) {
      const left = rule.calls.filter((at) => at > before);
      if (left.length >= this.#options.most) continue;
      if (rule.told) {
        await this.#options.alarms.clear(alarmKey(rule), null, this.#options.clock.now());
        rule.told = false;
      }
      if (left.length === 0) this.#rules.delete(key);
    }
  }

  async #tell(rule: Rule): Promise<void> {
    const { most, alarms, instance, clock } = this.#options;
    const { tenantCode, ruleName } = rule;
    const params = { tenant: tenantCode, rule: ruleName, most };
    await alarms.raise(
      {
        key: alarmKey(rule),
        instance,
        tenantCode,
        severity: 'warning',
        shared: true,
        ...alarmText(modelCallMessages, { code: 'model_calls_hour', params }, { rule: ruleName, most }),
      },
      clock.now(),
    );
    rule.told = true;
  }
}

const alarmKey = ({ tenantCode, ruleName }: Rule): string => `model_calls_hour:${tenantCode}:${ruleName}`;
