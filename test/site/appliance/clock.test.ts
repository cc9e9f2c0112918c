// The clock of the machine is set: it is told, and the events whose times came from the clock of before say
// so.
import { expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { CLOCK_ALARM, ClockWatch, createClockWatch, EARLIEST_NOW } from '../../../site/status/clock.ts';
import { TestClock } from '../../support/clock.ts';
import { anEvent, newDir, openStore } from '../store/support.ts';

const DAY = 86_400_000;
const log = silentLogger();

test(
  'a step is noticed, told once, marks what came before it in this life, and clears itself after a day, ' +
    'also over a restart',
  async () => {
    const dir = newDir();
    const clock = new TestClock();
    const first = await openStore({ dir, clock });
    await first.events.ingest([anEvent('earlier life')], clock.now());
    await first.close();
    const store = await openStore({ dir, clock });
    const watch = await createClockWatch({ store, instance: 'site-1', clock, log });
    const standing = async () =>
      (await store.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(({ key }) => key);
    await store.events.ingest([anEvent('before', { doc: '{}' }), anEvent('before too')], clock.now());
    clock.advance(5_000);
    clock.step(1_500);
    await watch.round();
    expect(await standing()).toEqual([]);

    clock.step(3 * DAY);
    await watch.round();
    await store.events.ingest([anEvent('after')], clock.now());
    expect(watch.view()).toMatchObject({ suspect: false, lastStep: { stepMs: 3 * DAY, marked: 2 } });
    expect(await standing()).toEqual([CLOCK_ALARM]);
    const docs = (await store.events.page(0, 10)).map(
      ({ doc }) => JSON.parse(doc) as { clockSuspect?: boolean; title?: string },
    );
    expect(docs.map(({ clockSuspect }) => clockSuspect ?? false)).toEqual([false, true, true, false]);
    expect(docs[2]?.title).toBe('a truck');

    const next = new ClockWatch({
      clock,
      marks: store.clockMarks,
      head: 4,
      newestKnown: clock.now(),
      alarms: store.alarms,
      instance: 'site-1',
      log,
    });
    clock.advance(DAY + 1);
    await next.round();
    expect(await standing()).toEqual([]);
  },
);

test(
  'a clock before the program, or before what the store knows, is suspect; order and ids go on all the ' +
    'same',
  async () => {
    const clock = new TestClock();
    const store = await openStore({ clock });
    await store.events.ingest([anEvent('a')], clock.now());
    clock.wall = EARLIEST_NOW - DAY;
    const watch = await createClockWatch({ store, instance: 'site-1', clock, log });
    expect(watch.suspect).toBe(true);
    await store.events.ingest([anEvent('b')], clock.now());
    const [a, b] = await store.events.page(0, 10);
    expect(b?.id).toBe(2);
    expect(b?.receivedAt).toBeGreaterThanOrEqual(a?.receivedAt ?? Infinity);
  },
);
