// What of headquarters' rules outlives the process, what cannot be read of this store's, and the alarms about
// both.
import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { alarmText } from '../../core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { Logger } from '../../log.ts';
import { RULES_MISSING } from '../act/alarms.ts';
import { agentMessages } from '../agent-messages.ts';
import type { CachedRules, RulesCache } from './cache.ts';

/**
 * How old the time in the cache file may grow while the rules stay the same: a card wears with every write.
 */
const CACHE_REFRESH_MS = 3_600_000;
/**
 * Rules of headquarters are never given up (spec 3), but a person is told when they were not confirmed for
 * this long.
 */
const STALE_MS = 7 * 86_400_000;
const DAMAGED = 'rules_cache_damaged';
const STALE = 'rules_stale';
const UNREADABLE = 'rules_unreadable';
const REASON_CHARS = 300;

export interface KeeperOptions {
  /** null: no cache is kept. */
  cache: RulesCache | null;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  instance: string;
  clock: Clock;
  log: Logger;
}

export interface CacheStatus {
  file: string;
  /** Time of the rules in the file, epoch ms. */
  savedAt: number | null;
  /** Why the last write failed; null when it did not. */
  error: string | null;
}

export class RulesKeeper {
  readonly #options: KeeperOptions;
  #saved: { at: number; digest: string } | null = null;
  #error: string | null = null;
  #arrived = false;
  /** Whether the alarm about old rules stands, as far as this process knows. */
  #stale: boolean | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  get status(): CacheStatus | null {
    return (
      this.#options.cache && {
        file: this.#options.cache.file,
        savedAt: this.#saved?.at ?? null,
        error: this.#error,
      }
    );
  }

  /** What was kept; null without a cache, or when it was damaged: then it was set aside, with an alarm. */
  async read(): Promise<CachedRules | null> {
    const read = this.#options.cache?.read(this.#options.clock.now());
    if (!read || read.kind === 'none') return null;
    if (read.kind === 'damaged') {
      const { movedTo, why } = read;
      this.#options.log.error({ movedTo, why }, 'the rules cache is damaged');
      await this.#options.alarms.raise(
        {
          key: DAMAGED,
          instance: this.#options.instance,
          tenantCode: null,
          severity: 'warning',
          ...alarmText(
            agentMessages,
            movedTo === null
              ? { code: 'rules_cache_stuck', params: { why } }
              : { code: 'rules_cache_moved', params: { why, file: movedTo } },
          ),
        },
        this.#options.clock.now(),
      );
      return null;
    }
    await this.#options.alarms.clear(DAMAGED, this.#options.instance, this.#options.clock.now());
    const { cached } = read;
    this.#saved = { at: cached.fetchedAt, digest: digestOf(cached.rules) };
    this.#options.log.info(
      { rules: cached.rules.length, fetchedAt: new Date(cached.fetchedAt).toISOString() },
      'rules were taken from the cache',
    );
    return cached;
  }

  /** Writes what changed. A failure is logged and shown, and tried again with the next reload. */
  async save(fetchedAt: number, rules: readonly unknown[]): Promise<void> {
    if (!this.#options.cache) return;
    const digest = digestOf(rules);
    if (this.#saved?.digest === digest && Math.abs(fetchedAt - this.#saved.at) < CACHE_REFRESH_MS) return;
    try {
      await this.#options.cache.write({ fetchedAt, rules });
      this.#saved = { at: fetchedAt, digest };
      this.#error = null;
    } catch (error) {
      if (this.#error === null)
        this.#options.log.error(
          { err: error, file: this.#options.cache.file },
          'the rules cache could not be written; the rules are in memory only',
        );
      this.#error = (error as Error).message;
    }
  }

  /** Headquarters gave its rules: nobody has to be told any more that events go without them. */
  async arrived(): Promise<void> {
    if (this.#arrived) return;
    await this.#options.alarms.clear(RULES_MISSING, this.#options.instance, this.#options.clock.now());
    this.#arrived = true;
  }

  /**
   * Raises or clears the alarm about rules that headquarters has not confirmed for long.
   * @param fetchedAt when headquarters last confirmed them
   */
  async age(fetchedAt: number): Promise<void> {
    const stale = this.#options.clock.now() - fetchedAt > STALE_MS;
    if (stale === this.#stale) return;
    const since = new Date(fetchedAt).toISOString();
    if (stale) {
      await this.#options.alarms.raise(
        {
          key: STALE,
          instance: this.#options.instance,
          tenantCode: null,
          severity: 'warning',
          ...alarmText(agentMessages, { code: 'rules_stale', params: { since } }),
        },
        this.#options.clock.now(),
      );
    } else await this.#options.alarms.clear(STALE, this.#options.instance, this.#options.clock.now());
    this.#stale = stale;
  }
}

const digestOf = (rules: readonly unknown[]): string => hash('sha256', JSON.stringify(rules));

/** Rules of this store that cannot be read for damage, and the alarm about them. */
export class RulesDamage {
  /** What the store said of the last reading; null: it could be read. */
  fault: string | null = null;
  readonly #options: Omit<KeeperOptions, 'cache'>;
  /** Whether the alarm stands, as far as this process knows. */
  #stands: boolean | null = null;

  constructor(options: Omit<KeeperOptions, 'cache'>) {
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
