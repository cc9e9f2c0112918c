import { backoffDelay } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { CameraBook, CameraNames } from '../../core/camera/record.ts';
import type { EventRecord } from '../../core/event/record.ts';
import type { RulePort } from '../../core/rule/port.ts';
import { type RuleKind, ruleKinds } from '../../core/rule/schema.ts';
import { TransportError } from '../../http/outbound/client.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { SingleFlight } from '../../single-flight.ts';
import type { RuleChoice } from '../act/record.ts';
import type { RulesCache } from './cache.ts';
import { chooseRule, type CompiledTenant } from './choose.ts';
import { type CacheStatus, RulesDamage, RulesKeeper } from './keeper.ts';
import {
  emptyTenant,
  keepThresholds,
  type LoadedRules,
  loadRules,
  nothingLoaded,
  unreadTenant,
} from './load.ts';
import { agentEventOf, type Thresholds } from './record.ts';
import { type RemoteRules, rulesOf } from './source.ts';

/** Spec 3, "Limits": rule reload. */
const RELOAD_MS = 60_000;
/** Between tries that failed. */
const BACKOFF = { first: 2_000, cap: RELOAD_MS, jitter: 0.2 };
/**
 * How often the rules of this store are looked at, one small query: another process may have registered one.
 */
const OWN_RELOAD_MS = 5_000;

export interface RuleSetOptions {
  rules: RulePort;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  /** null: this store is where rules are registered. */
  remote: RemoteRules | null;
  /** null: no cache is kept. */
  cache: RulesCache | null;
  /** Tenants that the agent serves; null: every one. */
  tenants: () => Promise<readonly string[] | null>;
  /** What people call cameras. */
  cameras: CameraNames;
  instance: string;
  /** Whether what the store says of a reading is damage, which the program outlives. */
  isDamage: (error: unknown) => boolean;
  clock: Clock;
  log: Logger;
}

export type RuleOrigin = 'core' | 'cache' | 'builtin';

export interface RuleSetStatus {
  ruleSource: Record<RuleKind, { source: RuleOrigin; fetchedAt: number | null }>;
  /** The last reload that succeeded, epoch ms. */
  reloadedAt: number | null;
  lastError: string | null;
  cache: CacheStatus | null;
}

interface Outside {
  /** As headquarters or the cache gave them, not checked yet. */
  rules: readonly unknown[];
  etag: string | null;
  source: 'core' | 'cache';
  fetchedAt: number;
}

/**
 * The rules in the agent's memory (spec 3, "Unreachable core service"): from the cache before any network,
 * then from where they are registered.
 */
export class RuleSet {
  readonly loop: Loop;
  readonly #options: RuleSetOptions;
  #keeper: RulesKeeper;
  #loaded: LoadedRules = nothingLoaded;
  /** What `#loaded` was made of; while it is the same, nothing is loaded anew. */
  #madeOf: { outside: Outside['rules'] | undefined; served: string; revision: number } | null = null;
  #outside: Outside | null = null;
  #reloadedAt: number | null = null;
  #lastError: string | null = null;
  /** Tries in a row that headquarters did not answer. */
  #unanswered = 0;
  /** Of the loop; aborted when it stops. */
  #signal = new AbortController().signal;
  readonly #damage: RulesDamage;
  #cameras: CameraBook | undefined;
  #reloads = new SingleFlight(() => this.#reload());
  #compiles = new SingleFlight(() => this.#compile());

  constructor(options: RuleSetOptions) {
    this.#options = options;
    const { remote, clock, log } = options;
    this.#damage = new RulesDamage(options);
    this.#keeper = new RulesKeeper({ ...options, cache: remote && options.cache });
    this.loop = new Loop({
      name: 'rules',
      interval: remote ? RELOAD_MS : OWN_RELOAD_MS,
      log,
      monotonic: () => clock.monotonic(),
      backoff: BACKOFF,
      round: (signal) => this.#round(signal),
    });
  }

  /**
   * A link that is down is no failure of this work: the rules that are there stay in force, and their age is
   * an alarm of its own.
   */
  async #round(signal: AbortSignal): Promise<RoundResult> {
    this.#signal = signal;
    try {
      await this.reload();
      this.#unanswered = 0;
      return { again: false };
    } catch (error) {
      if (!(error instanceof TransportError) || error.status !== null) throw error;
      this.#unanswered += 1;
      const pauseMs = backoffDelay(this.#unanswered, BACKOFF, Math.random());
      this.#options.log.debug({ err: error, pauseMs }, 'headquarters could not be asked for the rules');
      return { again: false, pauseMs };
    }
  }

  /** Takes the rules of the cache and of this store before it asks anyone. */
  async start(): Promise<void> {
    const cached = await this.#keeper.read();
    if (cached) this.#outside = { ...cached, etag: null, source: 'cache' };
    await this.refresh();
    this.loop.start();
  }

  /** What to do about an event, by the rules as they are now. */
  choose(event: EventRecord): RuleChoice {
    return chooseRule(this.tenant(event.tenantCode), agentEventOf(event, this.#cameras));
  }

  thresholds(tenantCode: string): Thresholds {
    return this.tenant(tenantCode).thresholds;
  }

  tenant(tenantCode: string): CompiledTenant {
    return this.#loaded.tenants.get(tenantCode) ?? (this.unread ? unreadTenant : emptyTenant);
  }

  /** The rules of this store could not be read since the start: none of them is in force. */
  get unread(): boolean {
    return this.#damage.fault !== null && this.#madeOf === null;
  }

  /** Headquarters' rules should be in force, and neither headquarters nor the cache gave any. */
  get unreached(): boolean {
    return this.#options.remote !== null && this.#outside === null;
  }

  /** What people call cameras; undefined: that was not read yet. */
  get cameras(): CameraBook | undefined {
    return this.#cameras;
  }

  get loaded(): LoadedRules {
    return this.#loaded;
  }

  status(): RuleSetStatus {
    return {
      ruleSource: Object.fromEntries(
        ruleKinds.map((kind) => [kind, this.#originOf(kind)]),
      ) as RuleSetStatus['ruleSource'],
      reloadedAt: this.#reloadedAt,
      lastError: this.#lastError ?? this.#damage.fault,
      cache: this.#keeper.status,
    };
  }

  #originOf(kind: RuleKind): { source: RuleOrigin; fetchedAt: number | null } {
    const { rules, outsideKinds } = this.#loaded;
    if (this.#outside && outsideKinds.has(kind))
      return { source: this.#outside.source, fetchedAt: this.#outside.fetchedAt };
    // Rules of this store are not those of headquarters, which did not come.
    return !this.unreached && rules.some((rule) => rule.kind === kind)
      ? { source: 'core', fetchedAt: this.#reloadedAt }
      : { source: 'builtin', fetchedAt: null };
  }

  /**
   * Asks anew, also while an earlier reload is under way. @returns whether anything changed @throws Error
   * when headquarters cannot be reached; the rules stay as they are
   */
  reload(): Promise<boolean> {
    return this.#reloads.run();
  }

  async #reload(): Promise<boolean> {
    const before = this.#loaded;
    try {
      await this.#pull();
      this.#lastError = null;
    } catch (error) {
      this.#lastError = (error as Error).message;
      throw error;
    } finally {
      // The rules of this store count whether or not headquarters answers.
      await this.refresh();
    }
    this.#reloadedAt = this.#options.clock.now();
    return before !== this.#loaded && JSON.stringify(before.rules) !== JSON.stringify(this.#loaded.rules);
  }

  async #pull(): Promise<void> {
    if (!this.#options.remote) return;
    try {
      const pulled = await this.#options.remote.pull(
        this.#outside?.source === 'core' ? this.#outside.etag : null,
        this.#signal,
      );
      const fetchedAt = this.#options.clock.now();
      if (pulled.kind === 'rules')
        this.#outside = {
          rules: keepThresholds(this.#outside?.rules ?? [], pulled.rules),
          etag: pulled.etag,
          source: 'core',
          fetchedAt,
        };
      else if (this.#outside) this.#outside.fetchedAt = fetchedAt;
      await this.#keeper.arrived();
      await this.#save();
    } finally {
      if (this.#outside) await this.#keeper.age(this.#outside.fetchedAt);
    }
  }

  async #save(): Promise<void> {
    if (!this.#outside) return;
    const served = await this.#options.tenants();
    const { fetchedAt, rules } = this.#outside;
    await this.#keeper.save(
      fetchedAt,
      rules.filter(
        (rule) =>
          served === null || served.includes((rule as { tenantCode?: string } | null)?.tenantCode ?? ''),
      ),
    );
  }

  /**
   * Takes what was registered in this store before the call, without asking anyone. @throws Error when the
   * store cannot be read
   */
  refresh(): Promise<void> {
    return this.#compiles.run();
  }

  /**
   * A rule was registered in this store. What goes wrong here is tried again by the loop: the rule is stored.
   */
  async registered(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      this.#options.log.warn(
        { err: error },
        'a rule was registered, but the rules could not be read; they are read again',
      );
      this.loop.kick();
    }
  }

  /** What the store cannot read for damage is told, and leaves what was read before in force. */
  async #compile(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      if (!this.#options.isDamage(error)) throw error;
      return this.#damage.met(error as Error, this.#madeOf !== null);
    }
    await this.#damage.over();
  }

  async #read(): Promise<void> {
    this.#cameras = await this.#options.cameras();
    const served = await this.#options.tenants();
    // Read before the rules: one that is registered in between is seen again at the next look.
    const revision = await this.#options.rules.revision({ tenantCodes: served });
    const madeOf = { outside: this.#outside?.rules, served: JSON.stringify(served), revision };
    const { outside, served: servedThen, revision: then } = this.#madeOf ?? {};
    if (outside === madeOf.outside && servedThen === madeOf.served && then === revision) return;
    this.#loaded = loadRules(
      madeOf.outside ?? [],
      await rulesOf(this.#options.rules, served),
      served && new Set(served),
    );
    this.#madeOf = madeOf;
  }
}
