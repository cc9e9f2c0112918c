// What all devices together make a site hold.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceRooms, TooMuchHeld } from '../../site/intake/room.ts';

const LIMITS = { small: 100, ofOne: 1_000, largeAtOnce: 2, turnMs: 5_000 };
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a promise is settled once all that can happen now has happened. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let is = false;
  const over = (): void => void (is = true);
  promise.then(over, over);
  await vi.advanceTimersByTimeAsync(0);
  return is;
}

test('few hold much at a time; the others wait in their order, and small ones do not', async () => {
  const rooms = new DeviceRooms(LIMITS);
  const [a, b, c, d] = [rooms.open(), rooms.open(), rooms.open(), rooms.open()];
  await Promise.all([a.take(500), b.take(500)]);
  const third = c.take(500);
  const fourth = d.take(200);
  expect([await settled(third), await settled(fourth), rooms.waiting]).toEqual([false, false, 2]);
  expect(await settled(rooms.open().take(100))).toBe(true);
  a.give(450);
  expect([await settled(third), await settled(fourth)]).toEqual([true, false]);
  b.close();
  expect(await settled(fourth)).toBe(true);
  for (const room of [a, c, d]) room.close();
  expect([rooms.held, rooms.waiting]).toEqual([100, 0]);
});

test('more than one device may hold is refused, and counted', async () => {
  const rooms = new DeviceRooms(LIMITS);
  const room = rooms.open();
  await room.take(900);
  await expect(room.take(101)).rejects.toThrow(TooMuchHeld);
  expect([rooms.held, rooms.refused]).toEqual([900, 1]);
});

test('a turn that others wait for ends by itself, but not while a message is stored', async () => {
  const rooms = new DeviceRooms({ ...LIMITS, largeAtOnce: 1 });
  let cut = 0;
  const drip = rooms.open(() => {
    cut += 1;
    drip.close();
  });
  await drip.take(200);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cut).toBe(0);
  let stored = (): void => undefined;
  const storing = drip.whileStored(() => new Promise<void>((resolve) => (stored = resolve)));
  const next = rooms.open();
  const waits = next.take(300);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await settled(waits), cut]).toEqual([false, 0]);
  stored();
  await storing;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await settled(waits), cut, rooms.cut, rooms.held]).toEqual([true, 1, 1, 300]);
});

test('who gives up waiting keeps nobody waiting, and pictures count until their message is stored', async () => {
  const rooms = new DeviceRooms({ ...LIMITS, largeAtOnce: 1 });
  const [a, b, c] = [rooms.open(), rooms.open(), rooms.open()];
  await a.take(200);
  const gone = new AbortController();
  const given = b.take(200, gone.signal);
  const last = c.whileStored(() => c.take(300, undefined, true));
  gone.abort(new Error('the device was removed'));
  await expect(given).rejects.toThrow('the device was removed');
  b.close();
  expect(await settled(last)).toBe(false);
  a.close();
  await last;
  expect([rooms.held, rooms.waiting]).toEqual([0, 0]);
});
