// Readers hold `id > cursor`: an id must never appear after a larger one was seen (DESIGN.md, "Two stores").
import { expect, test } from 'vitest';
import { eventKey } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import type { VerdictChange } from '../../../common/core/verdict/record.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { event, hubStores, stampAt, T0, testClock, uplinked, verdict, watchStatements } from './hub.ts';

const hub = hubStores();
const MAX_DELAY_MS = 12;

/** Numbers that look random and are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Commits of this store come late, each by another time. */
function delayCommits(store: HubStore, random: () => number): void {
  watchStatements(store, (statement) =>
    statement === 'commit' ? pause(random() * MAX_DELAY_MS) : undefined,
  );
}

async function follow<T>(
  pull: (after: number) => Promise<T[]>,
  position: (item: T) => number,
  done: () => boolean,
): Promise<T[]> {
  const seen: T[] = [];
  for (;;) {
    const last = done();
    const page = await pull(seen.length === 0 ? 0 : position(seen.at(-1) as T));
    seen.push(...page);
    if (last && page.length === 0) return seen;
  }
}

test('readers see every event once, in id order, while many writers commit late', async () => {
  const { url } = await hub.database();
  const random = randomFrom(7);
  const writers = await Promise.all(Array.from({ length: 4 }, () => hub.open(url)));
  const readers = await Promise.all([hub.open(url), hub.open(url)]);
  for (const store of writers) delayCommits(store, random);
  await (writers[0] as HubStore).sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
  let finished = false;
  const following = readers.map((reader) =>
    follow<EventRecord>(
      (after) => reader.events.page(after, 37),
      (e) => e.id,
      () => finished,
    ),
  );

  const keys = new Set<string>();
  const batch = (writer: number, round: number) =>
    Array.from({ length: 1 + Math.floor(random() * 8) }, (_, i) => {
      const key = `w${writer}-${round}-${i}`;
      keys.add(eventKey('acme', key));
      return event(key);
    });
  let sent = 0;
  await Promise.all(
    writers.flatMap((store, w) => [
      (async () => {
        for (let round = 0; round < 15; round += 1) {
          const calls = [
            store.events.ingest(batch(w, round * 2), T0 + round),
            store.events.ingest(batch(w, round * 2 + 1), T0 - round),
          ];
          await Promise.all(calls);
        }
      })(),
      // Meanwhile each also receives from the same site, in its own epoch.
      (async () => {
        for (let round = 0; round < 10; round += 1) {
          const key = `u${w}-${round}`;
          keys.add(eventKey('acme', key));
          const head = {
            instance: 'site-1',
            epoch: `e${w}`,
            version: '1',
            from: round,
            to: round + 1,
            head: round + 1,
            oldest: 1,
            held: null,
            at: null,
          };
          const outcome = await store.receiver.storeEvents(head, [uplinked(key, round + 1)], [], T0 + round);
          if (outcome.kind === 'stored') sent += outcome.accepted;
        }
      })(),
    ]),
  );
  finished = true;
  expect(sent).toBe(40);
  for (const seen of await Promise.all(following)) {
    expect(seen.map((e) => e.id)).toEqual(Array.from({ length: keys.size }, (_, i) => i + 1));
    expect(new Set(seen.map((e) => eventKey(e.tenantCode, e.idempotencyKey)))).toEqual(keys);
    expect(seen.every((e, i) => i === 0 || e.receivedAt >= (seen[i - 1] as EventRecord).receivedAt)).toBe(
      true,
    );
  }
  expect(await (readers[0] as HubStore).events.bounds()).toEqual({ oldest: 1, highWaterMark: keys.size });
});

test('verdict changes are numbered without gaps and appear in order', async () => {
  const { url } = await hub.database();
  const random = randomFrom(11);
  const clock = testClock();
  const writers = await Promise.all(Array.from({ length: 3 }, () => hub.open(url, clock)));
  const reader = await hub.open(url);
  for (const store of writers) delayCommits(store, random);
  await (writers[0] as HubStore).events.ingest(
    Array.from({ length: 40 }, (_, i) => event(`k${i}`)),
    T0,
  );
  let finished = false;
  const following = follow<VerdictChange>(
    (after) => reader.verdicts.changes(after, 7),
    (c) => c.changeNo,
    () => finished,
  );
  // Every event is judged by all writers at once: one wins, the others leave no entry.
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      writers.map((store) => store.verdicts.write(verdict(i + 1), stampAt(T0 - i, clock))),
    ).flat(),
  );
  finished = true;
  expect(outcomes.filter((outcome) => outcome.kind === 'written')).toHaveLength(40);
  const seen = await following;
  expect(seen.map((change) => change.changeNo)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect(seen.every((change, i) => i === 0 || change.at >= (seen[i - 1] as VerdictChange).at)).toBe(true);
  expect(new Set(seen.map((change) => change.eventId)).size).toBe(40);
});
