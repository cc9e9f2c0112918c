import { type Clock, type Stamp, stampOf } from '../../common/clock.ts';
import { ConfigError } from '../../common/config.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import { faultsOfValues, type GivenValues, type SettingsItem } from '../../common/uplink/settings/record.ts';
import { readSiteConfig, type SiteConfig } from '../config.ts';
import type { Carried } from '../uplink/inbox/port.ts';
import { Mutex } from '../uplink/mutex.ts';
import {
  afterStart,
  atStart,
  inUseOf,
  isKnown,
  longer,
  merged,
  offered,
  reached,
  shownOf,
  takenBack,
} from './decide.ts';
import { liveConfig, withSettings } from './live.ts';
import type { SettingsPort, SettingsTrace } from './port.ts';
import type { Draft, KeptSettings, ShownSettings, ValueFault } from './record.ts';

const MINUTE_MS = 60_000;
/** A site that has not reached headquarters for so long after a change takes it back, ms. */
const TRIAL_MS = 5 * MINUTE_MS;
/** Between looks at whether headquarters was reached, ms; a call that it answers is looked at sooner. */
const LOOK_MS = 5_000;

export interface SettingsOptions {
  port: SettingsPort;
  /** As it was read at the start, of the site's own environment alone. */
  config: SiteConfig;
  /** Told of the level of the log that is in use. */
  onLogLevel?: ((level: string) => void) | undefined;
  clock: Clock;
  log: Logger;
}

/**
 * Settings of headquarters: each draft is read by the site's own reader, kept as being tried, put to use
 * while the site runs, and confirmed by the next call that headquarters answers. Invariant: what is tried is
 * durable as such before it is in use, so that whatever ends the program brings back what was before.
 */
export class Settings {
  readonly loop: Loop;
  /** What is in use; its members change. */
  readonly config: SiteConfig;
  readonly #options: SettingsOptions;
  #kept: KeptSettings;
  #current: SiteConfig;
  #mutex = new Mutex();
  /** Monotonic ms: since when what is tried is in use, and when the last call that was answered began. */
  #triedSince = 0;
  #reachedAt = -Infinity;
  readonly #onChange: (() => void)[] = [];
  /** As the log has it. */
  #logLevel: string;

  constructor(options: SettingsOptions) {
    this.#options = options;
    this.#kept = options.port.read();
    this.#current = options.config;
    this.#logLevel = options.config.logLevel;
    this.config = liveConfig(options.config, () => this.#current);
    this.loop = new Loop({
      name: 'settings of headquarters',
      interval: LOOK_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: () => this.#mutex.run(() => this.#round()),
    });
  }

  /** Puts to use what is in force, before anything is made of the configuration. */
  async begin(): Promise<void> {
    const stamp = this.#stamp();
    const next = atStart(this.#kept, (values) => this.#faultOf(values), stamp.now);
    const back = next.inForce !== this.#kept.inForce;
    await this.#keep(next, back ? this.#trace('settings.taken_back', next, stamp) : null);
  }

  /** The start is over: what is in force has been through it. */
  async started(): Promise<void> {
    const next = afterStart(this.#kept);
    if (next !== this.#kept) await this.#keep(next, null);
    this.loop.start();
  }

  shown(): ShownSettings | null {
    return shownOf(this.#kept);
  }

  /** @param told of each change, also of what headquarters is to be told */
  onChange(told: () => void): void {
    this.#onChange.push(told);
  }

  /** Headquarters answered a call well that began then, monotonic ms. */
  answered(began: number): void {
    this.#reachedAt = Math.max(this.#reachedAt, began);
    if (this.#kept.stage === 'trial') this.loop.kick();
  }

  /** Tries settings, or refuses them with all that is wrong with them. */
  take(item: SettingsItem): Promise<Carried> {
    return this.#mutex.run(async () => {
      if (isKnown(this.#kept, item)) {
        // Headquarters may lack what it was told: it names it again.
        await this.#keep(this.#kept, null, true);
        return 'answered';
      }
      const stamp = this.#stamp();
      const faults = this.#faultsOf(item.values);
      const next = offered(this.#kept, item, { faults, now: stamp.now });
      const action = faults.length > 0 ? 'settings.refused' : 'settings.tried';
      await this.#keep(next, { ...this.#trace(action, next, stamp), actor: `headquarters (${item.by})` });
      this.#options.log.info({ version: item.version, action, by: item.by }, 'settings of headquarters');
      return faults.length > 0 ? 'refused' : 'carried_out';
    });
  }

  async #round(): Promise<RoundResult> {
    if (this.#kept.stage !== 'trial') return { again: false };
    const { clock, log } = this.#options;
    const stamp = this.#stamp();
    if (this.#reachedAt >= this.#triedSince) {
      const next = reached(this.#kept, stamp.now);
      await this.#keep(next, this.#trace('settings.confirmed', next, stamp));
      return { again: false };
    }
    const left = this.#triedSince + TRIAL_MS - clock.monotonic();
    if (left > 0) return { again: false, pauseMs: Math.min(left, LOOK_MS) };
    const minutes = TRIAL_MS / MINUTE_MS;
    const next = takenBack(this.#kept, { code: 'settings_no_contact', params: { minutes } }, stamp.now);
    await this.#keep(next, this.#trace('settings.taken_back', next, stamp));
    log.warn(
      { version: this.#kept.told?.version },
      'headquarters was not reached: its settings are taken back',
    );
    return { again: false };
  }

  /** Durable first, then in use. @param again headquarters is to be told in any case */
  async #keep(next: KeptSettings, trace: SettingsTrace | null, again = false): Promise<void> {
    const { port, config, clock } = this.#options;
    const inUse = inUseOf(config.secrets.env, next.inForce?.values ?? {});
    const changed = next !== this.#kept || JSON.stringify(inUse) !== JSON.stringify(this.#kept.inUse);
    // Where headquarters has set nothing there is nothing to keep.
    if (next.told !== null && (changed || again)) {
      await port.keep({ ...next, inUse }, trace, clock.now());
      if (next.stage === 'trial' && next.inForce !== this.#kept.inForce) this.#triedSince = clock.monotonic();
      this.#kept = { ...next, inUse };
    }
    this.#use();
  }

  #use(): void {
    const { onLogLevel } = this.#options;
    const { inForce, before, stage } = this.#kept;
    this.#current = this.#with(inForce);
    if (stage === 'trial') {
      const retention = longer(this.#with(before).retention, this.#current.retention);
      this.#current = { ...this.#current, retention };
    }
    if (this.#current.logLevel !== this.#logLevel) onLogLevel?.((this.#logLevel = this.#current.logLevel));
    for (const told of this.#onChange) told();
  }

  #with(draft: Draft | null): SiteConfig {
    const { config } = this.#options;
    return draft ? withSettings(config, this.#read(draft.values)) : config;
  }

  /** By the site's own reader. A draft has to be right by itself, and beside what a technician has set. */
  #faultsOf(values: GivenValues): ValueFault[] {
    const faults = faultsOfValues(values);
    if (faults.length > 0) return faults;
    const said = this.#faultOf(values);
    return said === null ? [] : [{ name: '', told: { code: 'setting_reader', params: { said } } }];
  }

  #faultOf(values: GivenValues): string | null {
    try {
      this.#read(values);
      return null;
    } catch (error) {
      if (error instanceof ConfigError) return error.faults.join('; ');
      throw error;
    }
  }

  #read(values: GivenValues): SiteConfig {
    return readSiteConfig(merged(this.#options.config.secrets.env, values));
  }

  #trace(action: string, { inForce, told }: KeptSettings, { newId, now }: Stamp): SettingsTrace {
    const before = { values: this.#kept.inForce?.values ?? {} };
    const state = told && {
      version: told.version,
      state: told.state,
      offered: told.values,
      reason: told.reason,
    };
    const after = { values: inForce?.values ?? {}, ...state };
    return { id: newId(), at: now, actor: 'system', action, before, after };
  }

  #stamp(): Stamp {
    return stampOf(this.#options.clock);
  }
}
