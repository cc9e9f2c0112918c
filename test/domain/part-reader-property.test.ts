// Whatever the network makes of the bytes, the same parts come out.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartReader } from '../../site/intake/message/part-reader.ts';
import { alertXml, jpeg, multipart, PICTURE_PART, XML_PART } from '../site/intake/rig.ts';

const whole = (body: Buffer): boolean => body.includes('</EventNotificationAlert>');

function read(bytes: Buffer, cuts: readonly number[], boundary: string | null): string[] {
  const parts: string[] = [];
  const reader = new PartReader({
    boundary,
    maxPart: 1 << 20,
    whole: () => whole,
    onPart: ({ headers, body }) => {
      const end = body.indexOf('</EventNotificationAlert>');
      const told = end < 0 ? body : body.subarray(0, end + '</EventNotificationAlert>'.length);
      parts.push(`${JSON.stringify(headers)} ${told.toString('latin1')}`);
    },
  });
  const at = [0, ...[...cuts].map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  for (const [index, from] of at.slice(0, -1).entries()) reader.push(bytes.subarray(from, at[index + 1]));
  reader.end();
  return parts;
}

test.each([
  ['as it should be', {}],
  ['the boundary twice', { doubled: true }],
  ['LF alone', { eol: '\n' }],
  ['no end', { closed: false }],
])('any split of the bytes gives the same parts: %s', (_, form) => {
  const bytes = multipart(
    [
      XML_PART(alertXml(), 7),
      PICTURE_PART(jpeg(300)),
      XML_PART(alertXml({ region: 2 })),
      { body: alertXml() },
    ],
    form,
  );
  for (const boundary of ['boundary', null]) {
    const expected = read(bytes, [], boundary);
    expect(expected).toHaveLength(4);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(read(bytes, cuts, boundary)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  }
});
