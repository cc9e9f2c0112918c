// One caller's writes in a row keep the event loop turning for moments; everything else lets it sleep.
import { expect, test } from 'vitest';
import { SpinWindow } from '../../../site/store/engine/spin-window.ts';
import { turns } from './support.ts';

/** A clock that goes on by a hundredth of a millisecond whenever it is read, and counts that. */
function watched() {
  const clock = { at: 100, reads: 0 };
  return { clock, spin: new SpinWindow(() => ((clock.reads += 1), (clock.at += 0.01)), 2) };
}

/**
 * One write, whose sync takes so many milliseconds. @returns how often the loop turned to look at the clock
 */
async function write({ clock, spin }: ReturnType<typeof watched>, syncMs: number): Promise<number> {
  const before = clock.reads;
  spin.syncBegins();
  await turns(10);
  clock.at += syncMs;
  spin.syncEnded();
  await turns(40);
  // The two calls read it once each.
  return clock.reads - before - 2;
}

test('the second of two writes in a row is stayed awake for, and ends by itself', async () => {
  const one = watched();
  expect(await write(one, 0.05)).toBe(0);
  const awake = await write(one, 0.05);
  expect(awake).toBeGreaterThan(20);
  expect(awake).toBeLessThan(60);
  const { reads } = one.clock;
  await turns(20);
  expect(one.clock.reads).toBe(reads);
});

test('no busy-wait between writes that are far apart', async () => {
  const one = watched();
  for (let i = 0; i < 5; i += 1) {
    expect(await write(one, 0.05)).toBe(0);
    one.clock.at += 5;
  }
});

test('no busy-wait on a slow disk', async () => {
  const one = watched();
  for (let i = 0; i < 5; i += 1) expect(await write(one, 20)).toBe(0);
  expect(await write(one, 0.05)).toBe(0);
});

test('one slow sync among fast ones changes nothing', async () => {
  const one = watched();
  for (let i = 0; i < 20; i += 1) await write(one, 0.05);
  expect(await write(one, 1.5)).toBeGreaterThan(0);
  expect(await write(one, 0.05)).toBeGreaterThan(0);
});

test('with one processor it sleeps, so that the sync has it', async () => {
  const clock = { at: 0, reads: 0 };
  const spin = new SpinWindow(() => ((clock.reads += 1), (clock.at += 0.01)), 1);
  for (let i = 0; i < 3; i += 1) expect(await write({ clock, spin }, 0.05)).toBe(0);
});
