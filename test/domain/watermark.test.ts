import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../common/core/event/record.ts';
import { Watermark, WATERMARK_MS } from '../../common/core/event/watermark.ts';
import { newEvent } from '../contract/samples.ts';
import { HOUR, SECOND, TestClock } from '../support/clock.ts';

/** A store and its consumer in miniature: receipt times are clamped as the stores clamp them. */
class Feed {
  readonly clock = new TestClock();
  readonly events: EventRecord[] = [];
  /** Monotonic time at which each event was stored. */
  readonly storedAt = new Map<number, number>();
  /** Ids served, in order. */
  readonly served: number[] = [];
  #watermark = new Watermark();

  store(): void {
    const { origin: _, ...members } = newEvent(`k${this.events.length}`);
    const receivedAt = Math.max(this.clock.now(), this.events.at(-1)?.receivedAt ?? 0);
    const event: EventRecord = {
      ...members,
      id: this.events.length + 1,
      receivedAt,
      instance: null,
      originId: null,
      originReceivedAt: null,
      verdict: null,
      correctedTo: null,
    };
    this.events.push(event);
    this.storedAt.set(event.id, this.clock.monotonic());
  }

  pull(limit = 1000): number[] {
    this.#watermark.observe(this.events.length, this.clock.monotonic());
    const cursor = this.served.at(-1) ?? 0;
    const settled = this.events.findLast(
      ({ id, receivedAt }) => id > this.#watermark.safe && receivedAt <= this.clock.now() - WATERMARK_MS,
    );
    const through = settled?.id ?? this.#watermark.safe;
    const page = this.events.filter((event) => event.id > cursor && event.id <= through).slice(0, limit);
    const ids = page.map((event) => event.id);
    this.served.push(...ids);
    return ids;
  }

  restart(): void {
    this.#watermark = new Watermark();
  }
}

describe('Watermark', () => {
  test('serves what is two seconds old, and not a millisecond earlier', () => {
    const feed = new Feed();
    feed.store();
    expect(feed.pull()).toEqual([]);
    feed.clock.advance(WATERMARK_MS - 1);
    expect(feed.pull()).toEqual([]);
    feed.clock.advance(1);
    expect(feed.pull()).toEqual([1]);
  });

  test('a young event ends the page and hides nothing before it', () => {
    const feed = new Feed();
    feed.store();
    feed.store();
    feed.clock.advance(SECOND);
    feed.store();
    feed.clock.advance(SECOND);
    expect(feed.pull()).toEqual([1, 2]);
    feed.clock.advance(SECOND);
    expect(feed.pull()).toEqual([3]);
  });

  test('a clock that is set back an hour delays by seconds, not by an hour', () => {
    const feed = new Feed();
    feed.store();
    feed.clock.step(-HOUR);
    feed.store();
    feed.pull();
    feed.clock.advance(WATERMARK_MS);
    expect(feed.pull()).toEqual([1, 2]);
    for (let i = 0; i < 5; i += 1) {
      feed.store();
      feed.clock.advance(SECOND);
      feed.pull();
    }
    feed.clock.advance(2 * WATERMARK_MS);
    feed.pull();
    feed.clock.advance(WATERMARK_MS);
    feed.pull();
    expect(feed.served).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('a process that starts on a clock that is behind serves after two seconds of its own', () => {
    const feed = new Feed();
    for (let i = 0; i < 3; i += 1) feed.store();
    feed.clock.step(-HOUR);
    feed.restart();
    expect(feed.pull()).toEqual([]);
    feed.clock.advance(WATERMARK_MS - 1);
    expect(feed.pull()).toEqual([]);
    feed.clock.advance(1);
    expect(feed.pull()).toEqual([1, 2, 3]);
  });

  test('an empty store is nothing to serve', () => {
    const feed = new Feed();
    expect(feed.pull()).toEqual([]);
    feed.clock.advance(HOUR);
    expect(feed.pull()).toEqual([]);
  });

  test('a page cut by its limit goes on where it ended', () => {
    const feed = new Feed();
    for (let i = 0; i < 5; i += 1) feed.store();
    feed.clock.advance(WATERMARK_MS);
    expect([feed.pull(2), feed.pull(2), feed.pull(2)]).toEqual([[1, 2], [3, 4], [5]]);
  });

  const act = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'store' as const, ms: 0 }) },
    {
      weight: 4,
      arbitrary: fc.integer({ min: 0, max: 5_000 }).map((ms) => ({ kind: 'advance' as const, ms })),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'pull' as const, ms: 0 }) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }).map((ms) => ({ kind: 'step' as const, ms })),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const, ms: 0 }) },
  );

  function play(
    feed: Feed,
    acts: readonly { kind: string; ms: number }[],
    onServed: (ids: number[]) => void,
  ): void {
    for (const { kind, ms } of acts) {
      if (kind === 'store') feed.store();
      else if (kind === 'advance') feed.clock.advance(ms);
      else if (kind === 'step') feed.clock.step(ms);
      else if (kind === 'restart') feed.restart();
      else onServed(feed.pull());
    }
  }

  test('whatever the clock did, every event is served once, in order, by a consumer that goes on pulling', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const feed = new Feed();
        play(feed, acts, () => undefined);
        for (let i = 0; i < 3; i += 1) {
          feed.pull();
          feed.clock.advance(WATERMARK_MS);
        }
        feed.pull();
        expect(feed.served).toEqual(feed.events.map((event) => event.id));
      }),
      { numRuns: 300 },
    );
  });

  test('while the clock does not step, nothing is served before its two seconds', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const feed = new Feed();
        play(
          feed,
          acts.filter(({ kind }) => kind !== 'step'),
          (ids) => {
            for (const id of ids)
              expect(feed.clock.monotonic() - (feed.storedAt.get(id) ?? 0)).toBeGreaterThanOrEqual(
                WATERMARK_MS,
              );
          },
        );
      }),
      { numRuns: 300 },
    );
  });

  test('a clock that only steps back makes nothing visible early', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const feed = new Feed();
        play(
          feed,
          acts.filter(({ kind, ms }) => kind !== 'step' || ms < 0),
          (ids) => {
            for (const id of ids)
              expect(feed.clock.monotonic() - (feed.storedAt.get(id) ?? 0)).toBeGreaterThanOrEqual(
                WATERMARK_MS,
              );
          },
        );
      }),
      { numRuns: 300 },
    );
  });
});
