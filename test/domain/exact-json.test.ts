import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from '../../common/http/body/exact-json.ts';
import { parseEventItem } from '../../common/uplink/event-item.ts';

test('whole numbers of any length survive reading and writing', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.bigInt().map(String),
      fc.string().map((text) => JSON.stringify(text)),
      fc.constantFrom('null', 'true', '0.25', '1e400', '-2E+999'),
      fc.array(tie('any') as fc.Arbitrary<string>).map((items) => `[${items.join(',')}]`),
      fc
        .array(tie('any') as fc.Arbitrary<string>)
        .map((items) => `{${items.map((item, index) => `"m${index}":${item}`).join(',')}}`),
    ),
  })).any as fc.Arbitrary<string>;
  fc.assert(
    fc.property(value, (text) => {
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    }),
  );
});

test('numbers that JavaScript holds are numbers, and what is no JSON is refused', () => {
  expect(parseExactJson('[9007199254740991,1234567890123456,0.1234567890123456,1e300]')).toEqual([
    9007199254740991, 1234567890123456, 0.1234567890123456, 1e300,
  ]);
  expect(() => parseExactJson('[12345678901234567890')).toThrow(SyntaxError);
});

test('headquarters keeps the numbers of a payload as the site sent them', () => {
  const doc = '{"payload":{"alert":12345678901234567891}}';
  const item = `{"origin_id":1,"received_at":1,"tenant_code":"acme","idempotency_key":"k","type":"a.b","kind":"alert","source":"video","is_test":false,"doc":${doc}}`;
  expect(parseEventItem(parseExactJson(item))).toMatchObject({ ok: true, event: { doc } });
});
