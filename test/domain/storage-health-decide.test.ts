// When a storage is thought to be damaged, and when it is not.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AT_START,
  decide,
  type Health,
  type Next,
  type Observation,
  type Rules,
  SOUND,
  WHILE_RUNNING,
} from '../../site/store/health/decide.ts';

const diskFails: Observation = { kind: 'statement failed', fault: 'disk', message: 'disk I/O error' };
const malformed: Observation = { kind: 'statement failed', fault: 'structure', message: 'malformed' };
const unreadable = {
  kind: 'look failed',
  fault: 'disk',
  message: 'EIO',
  takesFiles: true,
} satisfies Observation;
const diskGone: Observation = { ...unreadable, takesFiles: false };
const broken: Observation = { ...unreadable, fault: 'structure', message: 'wrong order' };
const passes: Observation = { kind: 'look passed' };

function walk(rules: Rules, ...seen: Observation[]): { health: Health; next: Next[] } {
  let health = SOUND;
  const next = seen.map((one) => {
    const decision = decide(health, one, rules);
    health = decision.health;
    return decision.next;
  });
  return { health, next };
}
const look = (afterMs: number): Next => ({ do: 'look', afterMs });

test('a disk that fails once makes the storage suspect, and a look that passes makes it sound again', () => {
  const { health, next } = walk(WHILE_RUNNING, diskFails, diskFails, unreadable, passes);
  expect(next).toEqual([look(0), { do: 'go on' }, look(1_000), { do: 'go on' }]);
  expect(health).toEqual({ ...SOUND, cleared: 1 });
  expect(walk(WHILE_RUNNING, diskFails).health).toMatchObject({ state: 'suspect', reason: 'disk I/O error' });
});

test('what is not given back to the last look is damage, and it is given up once', () => {
  for (const rules of [WHILE_RUNNING, AT_START]) {
    const looks = rules.pausesMs.map(() => unreadable);
    const { health, next } = walk(rules, diskFails, ...looks, unreadable, unreadable, malformed, passes);
    const rest = ['give up', 'go on', 'go on', 'go on'];
    expect(next.map((one) => one.do)).toEqual(['look', ...looks.map(() => 'look'), ...rest]);
    expect(health).toMatchObject({ state: 'damaged', reason: 'EIO' });
  }
});

test('a disk that takes no file at all is waited for, and its looks start anew when it is back', () => {
  const longer = Array.from({ length: 50 }, () => diskGone);
  const { health, next } = walk(WHILE_RUNNING, diskFails, unreadable, unreadable, ...longer, unreadable);
  expect(next.slice(3, -1)).toEqual(longer.map(() => look(15_000)));
  expect(next.at(-1)).toEqual(look(1_000));
  expect(health.state).toBe('suspect');
});

test('what SQLite cannot take apart ends a process at once, and is damage when a start finds it too', () => {
  expect(walk(WHILE_RUNNING, malformed).next).toEqual([{ do: 'give up' }]);
  const { health } = walk(WHILE_RUNNING, diskFails, malformed);
  expect(health).toMatchObject({ state: 'damaged', reason: 'malformed' });
  expect(walk(AT_START, malformed).next).toEqual([look(0)]);
  expect(walk(AT_START, malformed, broken)).toMatchObject({
    health: { state: 'damaged', reason: 'wrong order' },
    next: [{}, { do: 'give up' }],
  });
});

test('the third suspicion of starts is believed; a process that runs clears as many as there are', () => {
  const thrice = [malformed, passes, malformed, passes, malformed, passes];
  expect(walk(AT_START, ...thrice.slice(0, 4)).health).toEqual({ ...SOUND, cleared: 2 });
  expect(walk(AT_START, ...thrice).health).toMatchObject({ state: 'damaged', reason: 'malformed' });
  const often = Array.from({ length: 20 }, () => [diskFails, passes]).flat();
  expect(walk(WHILE_RUNNING, ...often).health).toEqual({ ...SOUND, cleared: 20 });
});

test('whatever is seen: what is suspect has a look before it, and what is damaged was given up once', () => {
  const one = fc.constantFrom(diskFails, malformed, unreadable, diskGone, broken, passes);
  const any = fc.array(one, { maxLength: 40 });
  fc.assert(
    fc.property(any, fc.constantFrom(WHILE_RUNNING, AT_START), (seen, rules) => {
      let health = SOUND;
      let looking = false;
      let given = 0;
      // A look follows only what asked for it.
      for (const one of seen.filter(({ kind }, at) => kind === 'statement failed' || at > 0)) {
        if (one.kind !== 'statement failed' && !looking) continue;
        const { health: after, next } = decide(health, one, rules);
        if (next.do === 'look') looking = true;
        if (after.state !== 'suspect') looking = false;
        if (next.do === 'give up') given += 1;
        expect(after.state === 'suspect').toBe(looking);
        expect(after.reason === null).toBe(after.state === 'sound');
        health = after;
      }
      expect(given).toBe(health.state === 'damaged' ? 1 : 0);
    }),
  );
});

test('momentary faults, however many, never count as damage', () => {
  const fault = fc
    .nat(WHILE_RUNNING.pausesMs.length)
    .map((looks) => [diskFails, ...Array.from({ length: looks }, () => unreadable), passes]);
  const momentary = fc.array(fault);
  fc.assert(
    fc.property(momentary, (faults) => {
      expect(walk(WHILE_RUNNING, ...faults.flat()).health).toEqual({ ...SOUND, cleared: faults.length });
    }),
  );
});
