// In the messages that devices were recorded with, two that differ in device, channel, rule or object are
// never one alarm, and no end is that of another.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alarmKey, speaksOf } from '../../site/intake/episode/identity.ts';
import type { Occurrence } from '../../site/intake/record.ts';
import { type About, type Part, SHAPES } from '../support/message-shapes.ts';

const number = fc.integer({ min: 0, max: 2 });
const aboutOf = fc.record({ device: number, channel: number, rule: number, object: number });
const keyOf = ([first]: Occurrence[], name: string): string => {
  if (!first) throw new Error(`nothing came of ${name}`);
  return alarmKey(first.identity);
};
const alike = (parts: readonly Part[], one: About, other: About): boolean =>
  parts.every((part) => one[part] === other[part]);

describe.each(Object.entries(SHAPES))('%s', (_, shapes) => {
  const shapeOf = fc.constantFrom(...shapes);

  test('what differs in what is told is another alarm, and the same is the same', () => {
    fc.assert(
      fc.property(shapeOf, shapeOf, aboutOf, aboutOf, (one, other, about, another) => {
        const same =
          keyOf(one.say(about, false, false), one.name) ===
          keyOf(other.say(another, false, false), other.name);
        expect(same).toBe(one === other && alike(one.tells, about, another));
      }),
      { numRuns: 1_000 },
    );
  });

  test('an end is that of its own alarm, and where it names no rule and object that of all on its channel', () => {
    const [ending] = shapes.filter(({ ends }) => ends);
    if (!ending) return;
    const endOf = fc.constantFrom(...shapes.filter(({ ends }) => ends));
    fc.assert(
      fc.property(endOf, shapeOf, fc.boolean(), aboutOf, aboutOf, (end, alarm, bare, about, another) => {
        const [said] = end.say(about, true, bare);
        if (said?.state !== 'ended') throw new Error(`${end.name} tells no end`);
        const left = bare && end.leaves === true;
        const told = end.tells.filter((part) => !left || part === 'device' || part === 'channel');
        const spoken = speaksOf(alarmKey(said.identity), keyOf(alarm.say(another, false, false), alarm.name));
        expect(spoken).toBe(end === alarm && alike(told, about, another));
      }),
      { numRuns: 1_000 },
    );
  });
});
