import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { EventRecord } from '../../core/event/record.ts';
import type { RulePort } from '../../core/rule/port.ts';
import { ruleKinds, type RuleKind } from '../../core/rule/schema.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import type { Choice } from '../act/record.ts';
import type { RulesCache } from './cache.ts';
import { choose, type CompiledTenant } from './choose.ts';
import { emptyTenant, load, nothingLoaded, type Loaded } from './load.ts';
import { agentEventOf, type Thresholds } from './record.ts';
import { rulesOf, type RemoteRules } from './source.ts';

/** Spec 3, "Limits": rule reload. */
const RELOAD_MS = 60_000;
/** How old the time in the cache file may grow while the rules stay the same: a card wears with every write. */
const CACHE_REFRESH_MS = 3_600_000;
const CACHE_ALARM = 'rules_cache_damaged';

export interface RuleSetOptions {
  rules: RulePort;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  /** null: this store is where rules are registered. */
  remote: RemoteRules | null;
  /** null: no cache is kept. */
  cache: RulesCache | null;
  /** Tenants that the agent serves; null: every one. */
  tenants: () => Promise<readonly string[] | null>;
  instance: string;
  clock: Clock;
  log: Logger;
}

export type RuleOrigin = 'core' | 'cache' | 'builtin';

export interface RuleSetStatus {
  ruleSource: Record<RuleKind, { source: RuleOrigin; fetchedAt: number | null }>;
  /** The last reload that succeeded, epoch ms. */
  reloadedAt: number | null;
  lastError: string | null;
  cache: { file: string; savedAt: number | null } | null;
}

/** The rules in the agent's memory (spec 3, "Unreachable core service"): from the cache before any network, then from where they are registered. */
export class RuleSet {
  readonly loop: Loop;
  #options: RuleSetOptions;
  #loaded: Loaded = nothingLoaded;
  /** What came from headquarters or the cache, as it came. */
  #outside: { rules: readonly unknown[]; etag: string | null; source: 'core' | 'cache'; fetchedAt: number } | null = null;
  #reloadedAt: number | null = null;
  #saved: { at: number; digest: string } | null = null;
  #reloading: Promise<boolean> | null = null;

  constructor(options: RuleSetOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'rules', interval: RELOAD_MS, log: options.log, monotonic: () => options.clock.monotonic(), backoff: { first: 2_000, cap: RELOAD_MS, jitter: 0.2 },
      round: async (signal) => void (await this.reload(signal)),
    });
  }

  /** Takes the rules of the cache and of this store before it asks anyone. */
  async start(): Promise<void> {
    await this.#readCache();
    await this.#compile();
    this.loop.start();
  }

  /** What to do about an event, by the rules as they are now. */
  choose(event: EventRecord): Choice {
    return choose(this.tenant(event.tenantCode), agentEventOf(event));
  }

  thresholds(tenantCode: string): Thresholds {
    return this.tenant(tenantCode).thresholds;
  }

  tenant(tenantCode: string): CompiledTenant {
    return this.#loaded.tenants.get(tenantCode) ?? emptyTenant;
  }

  get loaded(): Loaded {
    return this.#loaded;
  }

  status(): RuleSetStatus {
    const { cache } = this.#options;
    return {
      ruleSource: Object.fromEntries(ruleKinds.map((kind) => [kind, this.#originOf(kind)])) as RuleSetStatus['ruleSource'],
      reloadedAt: this.#reloadedAt, lastError: this.loop.lastError, cache: cache && { file: cache.file, savedAt: this.#saved?.at ?? null },
    };
  }

  #originOf(kind: RuleKind): { source: RuleOrigin; fetchedAt: number | null } {
    if (!this.#loaded.rules.some((rule) => rule.kind === kind)) return { source: 'builtin', fetchedAt: null };
    if (this.#outside) return { source: this.#outside.source, fetchedAt: this.#outside.fetchedAt };
    return { source: 'core', fetchedAt: this.#reloadedAt };
  }

  /** @returns whether anything changed @throws Error when headquarters cannot be reached; the rules stay as they are */
  reload(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    this.#reloading ??= this.#reload(signal).finally(() => (this.#reloading = null));
    return this.#reloading;
  }

  async #reload(signal: AbortSignal): Promise<boolean> {
    const { remote, clock } = this.#options;
    const before = this.#loaded;
    try {
      if (remote) await this.#pull(remote, signal);
    } finally {
      // The rules of this store count whether or not headquarters answers.
      await this.#compile();
    }
    this.#reloadedAt = clock.now();
    return JSON.stringify(before.rules) !== JSON.stringify(this.#loaded.rules);
  }

  async #pull(remote: RemoteRules, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const pulled = await remote.pull(this.#outside?.source === 'core' ? this.#outside.etag : null, signal);
    const fetchedAt = clock.now();
    if (pulled.kind === 'rules') this.#outside = { rules: pulled.rules, etag: pulled.etag, source: 'core', fetchedAt };
    else if (this.#outside) this.#outside.fetchedAt = fetchedAt;
    await this.#save();
  }

  /** Takes what was registered in this store, without asking anyone. */
  refresh(): Promise<void> {
    return this.#compile();
  }

  async #compile(): Promise<void> {
    const { rules, tenants } = this.#options;
    const served = await tenants();
    this.#loaded = load(this.#outside?.rules ?? [], await rulesOf(rules, served), served && new Set(served));
  }

  async #save(): Promise<void> {
    const { cache, tenants, log } = this.#options;
    if (!cache || !this.#outside) return;
    const served = await tenants();
    const { fetchedAt, rules } = this.#outside;
    const kept = rules.filter((rule) => served === null || served.includes((rule as { tenantCode?: string } | null)?.tenantCode ?? ''));
    const digest = hash('sha256', JSON.stringify(kept));
    if (this.#saved?.digest === digest && Math.abs(fetchedAt - this.#saved.at) < CACHE_REFRESH_MS) return;
    try {
      await cache.write({ fetchedAt, rules: kept });
      this.#saved = { at: fetchedAt, digest };
    } catch (error) {
      log.warn({ err: error, file: cache.file }, 'the rules cache could not be written; the rules are in memory only');
    }
  }

  async #readCache(): Promise<void> {
    const { cache, remote, alarms, instance, clock, log } = this.#options;
    if (!cache || !remote) return;
    const read = cache.read(clock.now());
    if (read.kind === 'none') return;
    if (read.kind === 'damaged') {
      const { movedTo, why } = read;
      log.error({ movedTo, why }, 'the rules cache is damaged and was set aside');
      await alarms.raise({ key: CACHE_ALARM, instance, tenantCode: null, severity: 'warning', message: `The rules cache was damaged (${why}); it was moved to ${movedTo}. 规则缓存已损坏,已移开。` }, clock.now());
      return;
    }
    await alarms.clear(CACHE_ALARM, instance, clock.now());
    this.#outside = { rules: read.cached.rules, etag: null, source: 'cache', fetchedAt: read.cached.fetchedAt };
    this.#saved = { at: read.cached.fetchedAt, digest: hash('sha256', JSON.stringify(read.cached.rules)) };
    log.info({ rules: read.cached.rules.length, fetchedAt: new Date(read.cached.fetchedAt).toISOString() }, 'rules were taken from the cache');
  }
}
