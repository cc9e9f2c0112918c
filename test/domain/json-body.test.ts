// What a JSON text holds is counted on its bytes, and a list that is parsed in pieces is the list that
// JSON.parse makes.
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../common/http/body/json.ts';
import { JsonExtent, type JsonLimits } from '../../common/http/body/json-extent.ts';
import { AppError } from '../../common/http/error.ts';
import { timeSlice } from '../../common/time-slice.ts';

const OPEN: JsonLimits = { depth: 100, values: 10_000_000, run: 10_000_000 };
const request = { headers: { 'content-type': 'application/json' } } as IncomingMessage;

async function parsed(text: string, limits: JsonLimits = OPEN): Promise<unknown> {
  return parseJson(request, Buffer.from(text), { limits, parse: JSON.parse, onExtent: () => undefined });
}

function extent(text: string, step?: number): JsonExtent {
  const whole = new JsonExtent(Buffer.from(text), OPEN);
  while (!whole.step(step));
  return whole;
}

test('members count three times, elements, lists and objects once, and nothing in a text counts', () => {
  expect(extent('{"a":[1,2,{"b":"]},{:\\"[,"}]}').values).toBe(1 + 2 + 1 + 2 + 1 + 2);
  expect(extent('"[[[,,,"').values).toBe(0);
});

test('any value is parsed as JSON.parse does, in whatever pieces, and counted alike in whatever steps', async () => {
  const entry = fc.jsonValue({ maxDepth: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 5 }),
      fc.dictionary(fc.string(), entry, { maxKeys: 3 }),
      fc.constantFrom('', ' ', '\n\t'),
      async (entries, beside, space) => {
        // A pair of long texts makes pieces of what is otherwise parsed at once.
        const list = [...entries, 'x'.repeat(130_000), ...entries, 'y"\\'.repeat(50_000), ...entries];
        const text = JSON.stringify({ ...beside, list, after: [1] }, null, space);
        const whole = extent(text);
        expect(extent(text, 1_000).values).toBe(whole.values);
        expect(whole.cuts?.commas.length).toBeGreaterThan(0);
        expect(await parsed(text)).toEqual(JSON.parse(text));
      },
    ),
    {
      numRuns: 40,
      examples: [
        [[null], { list: [1] }, ''],
        [[[]], { after: {} }, ' '],
      ],
    },
  );
});

test.each([
  ['between pieces nothing', (long: string) => `{"a":[${long},  ,1]}`],
  ['at the end a comma', (long: string) => `{"a":[1,${long},]}`],
  ['no end', (long: string) => `{"a":[1,${long},2`],
  ['another bracket at the end', (long: string) => `{"a":[1,${long},2}}`],
  ['a bracket too many', (long: string) => `{"a":[1,${long},2]]}`],
  ['something behind', (long: string) => `{"a":[1,${long},2]} 1`],
])('a list in pieces that has %s is refused', async (_what, text) => {
  await expect(parsed(text(`"${'x'.repeat(140_000)}"`))).rejects.toMatchObject({
    code: 'malformed_json',
    status: 400,
  });
});

test('a limit is refused as soon as it is passed', async () => {
  await expect(parsed(`{"a":${'['.repeat(5)}${']'.repeat(5)}}`, { ...OPEN, depth: 5 })).rejects.toThrow(
    AppError,
  );
  await expect(parsed(`{"a":[${'1,'.repeat(20_000)}1]}`, { ...OPEN, values: 20_000 })).rejects.toMatchObject({
    status: 413,
  });
  await expect(
    parsed(`{"a":[[${'1,'.repeat(9_000)}1],[${'1,'.repeat(9_000)}1]]}`, { ...OPEN, run: 9_500 }),
  ).resolves.toHaveProperty('a');
  await expect(
    parsed(`{"a":[[${'1,'.repeat(9_000)}1]],"b":{"c":[${'1,'.repeat(9_600)}1]}}`, { ...OPEN, run: 9_500 }),
  ).rejects.toMatchObject({ status: 413 });
});

test('between the pieces of heavy work the loop turns, also when it is the work of many', async () => {
  let turns = 0;
  let going = true;
  const tick = (): void => {
    turns += 1;
    if (going) setImmediate(tick);
  };
  setImmediate(tick);
  const order: number[] = [];
  const work = async (who: number): Promise<void> => {
    for (let piece = 0; piece < 3; piece += 1) {
      await timeSlice();
      order.push(who);
      const until = performance.now() + 5;
      while (performance.now() < until);
    }
  };
  await Promise.all([work(1), work(2), work(3)]);
  going = false;
  expect(turns).toBeGreaterThanOrEqual(8);
  expect(order).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
});
