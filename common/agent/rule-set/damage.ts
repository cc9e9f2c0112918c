// Rules that the store cannot read any more, and the alarm about them.
import type { Clock } from '../../clock.ts';
import { alarmText } from '../../core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { Logger } from '../../log.ts';
import { agentMessages } from '../agent-messages.ts';

const UNREADABLE = 'rules_unreadable';
const REASON_CHARS = 300;

export interface RulesDamageOptions {
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  instance: string;
  clock: Clock;
  log: Logger;
}

export class RulesDamage {
  /** What the store said of the last reading; null: it could be read. */
  fault: string | null = null;
  readonly #options: RulesDamageOptions;
  /** Whether the alarm stands, as far as this process knows. */
  #stands: boolean | null = null;

  constructor(options: RulesDamageOptions) {
    this.#options = options;
  }

  /** @param kept whether rules that were read before are in force */
  async met(error: Error, kept: boolean): Promise<void> {
    // A wrapper of the store says what was asked, and its cause what was wrong.
    this.fault = (error.cause instanceof Error ? error.cause : error).message;
    if (this.#stands === true) return;
    const { alarms, instance, clock, log } = this.#options;
    log.error({ err: error, kept }, 'the response rules cannot be read');
    const standing = { code: kept ? 'rules_kept' : 'rules_none', params: {} };
    const params = { reason: this.fault.slice(0, REASON_CHARS), standing };
    const text = alarmText(agentMessages, { code: UNREADABLE, params });
    const alarm = { key: UNREADABLE, instance, tenantCode: null, severity: 'critical' } as const;
    await alarms.raise({ ...alarm, ...text }, clock.now());
    this.#stands = true;
  }

  async over(): Promise<void> {
    this.fault = null;
    if (this.#stands === false) return;
    await this.#options.alarms.clear(UNREADABLE, this.#options.instance, this.#options.clock.now());
    this.#stands = false;
  }
}
