// Any interleaving of intake, verdicts, retention, pulls, restarts and answers of the uplink.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import { Watermark } from '../../common/core/event/watermark.ts';
import { DAY_MS } from '../../common/core/retention/decide.ts';
import { RetentionService } from '../../common/core/retention/service.ts';
import type { Stores } from '../../common/core/stores.ts';
import { SubscriptionService } from '../../common/core/subscription/service.ts';
import { silentLogger } from '../../common/log.ts';
import type { SiteStore } from '../../site/store/open.ts';
import { runs } from '../support/campaign.ts';
import { TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { secretResolver } from '../support/secret-resolver.ts';
import { siteHarness } from '../support/site-harness.ts';
import type { MakeHarness } from './harness.ts';
import { filters, newEvent, verdictOn } from './samples.ts';

const DAYS = 2;
const CONSUMER = 'reader';
const ADMIN = { kind: 'admin', name: 'admin', tenantCode: null } as const;

type Step =
  | { op: 'ingest'; keys: number[] }
  | { op: 'judge'; event: number }
  | { op: 'time'; days: number }
  | { op: 'retain'; confirm: boolean }
  | { op: 'pull'; limit: number }
  | { op: 'send'; channel: 'events' | 'verdicts'; count: number; park: boolean }
  | { op: 'settle' }
  | { op: 'restart' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        op: fc.constant('ingest' as const),
        keys: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ op: fc.constant('judge' as const), event: fc.integer({ min: 1, max: 30 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ op: fc.constant('time' as const), days: fc.constantFrom(0.5, 1, 2, 4, -1) }),
    },
    { weight: 5, arbitrary: fc.record({ op: fc.constant('retain' as const), confirm: fc.boolean() }) },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constant('pull' as const), limit: fc.integer({ min: 1, max: 5 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('send' as const),
        channel: fc.constantFrom('events' as const, 'verdicts' as const),
        count: fc.constantFrom(1, 3, 40),
        park: fc.constantFrom(false, false, false, true),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ op: 'settle' } as const) },
    { weight: 2, arbitrary: fc.constant({ op: 'restart' } as const) },
  ),
  { maxLength: 60, size: 'max' },
);

interface Event {
  id: number;
  receivedAt: number;
  judgedBy: number[];
}

/** A store beside what must be true of it, kept in plain maps. */
class Trial {
  readonly clock = new TestClock();
  stores!: Stores;
  #make: ReturnType<MakeHarness>;
  #byKey = new Map<string, Event>();
  #events = new Map<number, Event>();
  #gone = new Set<number>();
  #cursor = 0;
  #changes = 0;
  /** Events that headquarters has, and the changes that may go up, in the order of their numbers there. */
  #sentEvents = 0;
  #log: number[] = [];

  constructor(make: MakeHarness) {
    this.#make = make();
  }

  async run(all: readonly Step[]): Promise<void> {
    try {
      this.stores = await this.#make.open(this.clock);
      await this.stores.subscriptions.register(CONSUMER, filters(), 0, this.clock.now(), 'admin');
      for (const step of all) {
        await this.#step(step);
        await this.#check();
      }
    } finally {
      await this.#make.close();
    }
  }

  get #uplink(): SiteStore['uplink'] | null {
    return 'uplink' in this.stores ? (this.stores as SiteStore).uplink : null;
  }

  async #step(step: Step): Promise<void> {
    switch (step.op) {
      case 'ingest':
        return this.#ingest(step.keys.map((key) => `k${key}`));
      case 'judge':
        return this.#judge(step.event);
      case 'time':
        return this.clock.step(step.days * DAY_MS);
      case 'retain':
        return this.#retain(step.confirm);
      case 'pull':
        return this.#pull(step.limit);
      case 'send':
        return this.#send(step);
      case 'settle':
        return this.#settle();
      case 'restart':
        this.stores = await this.#make.reopen();
    }
  }

  async #ingest(keys: string[]): Promise<void> {
    const results = await this.stores.events.ingest(
      keys.map((key) => newEvent(key)),
      this.clock.now(),
    );
    for (const [index, { id, duplicate }] of results.entries()) {
      const known = this.#byKey.get(keys[index] ?? '');
      expect({ id, duplicate }).toEqual(
        known ? { id: known.id, duplicate: true } : { id: this.#byKey.size + 1, duplicate: false },
      );
      if (known) continue;
      const event = { id, receivedAt: (await this.stores.events.get(id))?.receivedAt ?? 0, judgedBy: [] };
      expect(event.receivedAt).toBeGreaterThanOrEqual(this.#events.get(id - 1)?.receivedAt ?? 0);
      this.#byKey.set(keys[index] ?? '', event);
      this.#events.set(id, event);
    }
  }

  async #judge(id: number): Promise<void> {
    const { kind } = await this.stores.verdicts.write(verdictOn(id), stampOf(this.clock));
    const event = this.#events.get(id);
    if (!event || this.#gone.has(id)) return expect(kind).toBe('no_event');
    expect(kind).toBe(event.judgedBy.length > 0 ? 'unchanged' : 'written');
    if (kind !== 'written') return;
    event.judgedBy.push((this.#changes += 1));
    this.#number();
    expect(await this.stores.verdicts.newestChangeNo()).toBe(this.#changes);
  }

  /** A change gets the next number on the way up once its event has gone up. */
  #number(): void {
    const events = [...this.#events.values()].filter(({ id }) => id <= this.#sentEvents);
    const ready = events.flatMap(({ judgedBy }) => judgedBy).filter((change) => !this.#log.includes(change));
    this.#log.push(...ready.sort((a, b) => a - b));
  }

  async #retain(confirm: boolean): Promise<void> {
    const uplink = this.#uplink;
    const sent = uplink && {
      events: uplink.channel('events').cursor,
      verdicts: uplink.channel('verdicts').cursor,
    };
    const parkedOf = (channel: 'events' | 'verdicts') =>
      new Set(uplink?.parked({ channel, state: 'parked' }, 100).map(({ originId }) => originId));
    const parked = parkedOf('events');
    const parkedChanges = parkedOf('verdicts');
    const before = this.clock.now() - DAYS * DAY_MS;
    const kept = [...this.#events.values()].filter(({ id }) => !this.#gone.has(id));
    const old = kept.filter(({ receivedAt }) => receivedAt < before);
    const service = new RetentionService({
      retention: this.stores.retention,
      alarms: this.stores.alarms,
      retentionHooks: [],
      limits: { eventsDays: DAYS, auditDays: null, alarmsDays: null },
      holdUnsent: uplink !== null,
      instance: 'here',
      clock: this.clock,
      log: silentLogger(),
      pauseMs: 0,
    });
    const { confirmed } = await this.stores.retention.state();
    await service.round(new AbortController().signal);
    const { oldest } = await this.stores.events.bounds();
    const deleted = kept.filter(({ id }) => id < oldest);
    for (const { id, receivedAt, judgedBy } of deleted) {
      expect(receivedAt).toBeLessThan(before);
      if (sent) expect(id).toBeLessThanOrEqual(sent.events);
      for (const change of sent ? judgedBy : []) {
        const number = this.#log.indexOf(change) + 1;
        expect(number).toBeGreaterThan(0);
        expect(number).toBeLessThanOrEqual(sent?.verdicts ?? 0);
        expect(parkedChanges.has(number)).toBe(false);
      }
      expect(parked.has(id)).toBe(false);
      this.#gone.add(id);
    }
    if (deleted.length * 2 > kept.length)
      expect(confirmed.events ?? 0).toBeGreaterThanOrEqual(deleted.at(-1)?.id ?? 0);
    if (!uplink && confirmed.events === undefined && old.length * 2 <= kept.length)
      expect(deleted).toEqual(old);
    if (confirm && (await service.status()).state.guards.events)
      await service.confirm('events', { actor: 'li', note: null });
  }

  async #pull(limit: number): Promise<void> {
    const { subscriptions, events } = this.stores;
    const service = new SubscriptionService({
      subscriptions,
      push: this.stores.push,
      alarms: this.stores.alarms,
      events,
      secretResolver: secretResolver(this.stores),
      epoch: () => this.stores.epoch(),
      watermark: new Watermark(),
      clock: this.clock,
    });
    const { oldest } = await events.bounds();
    if (this.#cursor < oldest - 1) {
      await expect(service.since(CONSUMER, { limit, includeTest: true }, ADMIN)).rejects.toMatchObject({
        code: 'cursor_expired',
        extra: { oldest },
      });
      this.#cursor = oldest - 1;
    } else {
      const { items, nextCursor } = await service.since(CONSUMER, { limit, includeTest: true }, ADMIN);
      expect(items.map(({ id }) => id)).toEqual(
        Array.from({ length: items.length }, (_, index) => this.#cursor + 1 + index),
      );
      this.#cursor = nextCursor;
    }
    await service.ack(CONSUMER, { cursor: this.#cursor }, ADMIN);
  }

  async #send({ channel, count, park }: Extract<Step, { op: 'send' }>): Promise<void> {
    const uplink = this.#uplink;
    if (!uplink) return;
    const { cursor } = uplink.channel(channel);
    const to = Math.min(cursor + count, channel === 'events' ? this.#byKey.size : this.#log.length);
    if (to === cursor) return;
    await uplink.advance(
      {
        channel,
        hubEpoch: 'hub',
        cursor: to,
        cursorAt: null,
        accepted: to - cursor,
        duplicates: 0,
        parked: park ? [{ channel, originId: to, error: 'refused', message: 'no' }] : [],
      },
      this.clock.now(),
    );
    if (channel === 'events') {
      this.#sentEvents = to;
      this.#number();
    }
    expect((this.stores as SiteStore).changes.head()).toBe(this.#log.length);
  }

  async #settle(): Promise<void> {
    for (const { channel, originId } of this.#uplink?.parked({ state: 'parked' }, 100) ?? [])
      await this.#uplink?.discard(channel, originId, this.clock.now(), 'li');
  }

  async #check(): Promise<void> {
    const { oldest, highWaterMark } = await this.stores.events.bounds();
    expect(highWaterMark).toBe(this.#byKey.size);
    expect(oldest).toBe(this.#gone.size + 1);
    expect((await this.stores.retention.state()).counts.events ?? 0).toBe(this.#gone.size);
    expect((await this.stores.events.page(0, 1_000)).map(({ id }) => id)).toEqual(
      [...this.#events.keys()].filter((id) => !this.#gone.has(id)),
    );
    expect(await this.stores.verdicts.newestChangeNo()).toBe(this.#changes);
  }
}

describe.each([
  ['site', siteHarness],
  ['headquarters', hubHarness],
] as const)('retention at %s', (_name, make) => {
  test('deletes nothing unsent, keeps the head, gives no id twice and names every expired cursor', async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) => new Trial(make).run(all)),
      { numRuns: runs(8, 40), interruptAfterTimeLimit: 90_000, endOnFailure: true },
    );
  }, 180_000);
});
