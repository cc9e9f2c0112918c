// One site, or two machines that speak under its name.
import { describe, expect, test } from 'vitest';
import { SenderWatch } from '../../../hq/receiver/admission/senders.ts';

const MINUTE = 60_000;
const told = (epochs: string, at: (index: number) => number = () => 0): (string | null)[] => {
  const watch = new SenderWatch();
  return [...epochs]
    .map((epoch, index) => watch.saw('site-1', epoch, at(index)))
    .map((found) => found && `${found.other}${found.epoch}`);
};

describe('two machines under one name', () => {
  test.each([
    ['one that goes on', 'aaaaaa'],
    ['one that was put back', 'aaabbbb'],
    ['one that was put back while both channels had something under way', 'aababbbb'],
    ['one that is put back again and again', 'ababcbcdcded'],
  ])('%s is one', (_, epochs) => expect(told(epochs).filter(Boolean)).toEqual([]));

  test.each([
    ['two in turn', 'abababa'],
    ['two in stretches', 'aaabbbaabbaabb'],
    ['three', 'abcabcabc'],
  ])('%s are found', (_, epochs) => {
    expect(told(epochs).filter(Boolean)).toHaveLength(1);
  });

  test('it is known until ten minutes after the last sign of it', () => {
    const watch = new SenderWatch();
    for (const [index, epoch] of [...'ababab'].entries()) watch.saw('site-1', epoch, index * MINUTE);
    expect([5, 14, 15].map((at) => watch.doubled('site-1', at * MINUTE))).toEqual([true, true, false]);
    expect(watch.doubled('site-2', 0)).toBe(false);
  });

  test('they are told of again after ten minutes, and other sites are others', () => {
    expect(told('ab'.repeat(20), (index) => index * MINUTE).filter(Boolean).length).toBe(4);
    const watch = new SenderWatch();
    expect(
      [...'abababab'].map((epoch, index) => watch.saw(`site-${index % 2}`, epoch, 0)).filter(Boolean),
    ).toEqual([]);
  });
});
