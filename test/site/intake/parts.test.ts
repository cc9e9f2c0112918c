// The parts of messages and streams, under whatever boundary devices announce and write.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentEnd } from '../../../site/intake/hikvision/stream.ts';
import { messageParts } from '../../../site/intake/message/message.ts';
import { PartReader } from '../../../site/intake/message/part-reader.ts';
import { announcedBoundary, textOf } from '../../../site/intake/message/parts.ts';
import { alertXml, jpeg, multipart, PICTURE_PART, XML_PART } from './rig.ts';

const ALERTS = [alertXml({ region: 1 }), alertXml({ region: 2, type: 'linedetection' })];
const told = (bodies: readonly Buffer[]): string[] => bodies.map((body) => body.toString('latin1').trim());
const ALERTS_TOLD = ALERTS.map((one) => one.trim());

/** The bodies of the parts of a stream that does not end, in pieces of so many bytes. */
function streamed(contentType: string, bytes: Buffer, piece = 97): string[] {
  const bodies: Buffer[] = [];
  const reader = new PartReader({
    boundary: announcedBoundary(contentType),
    maxPart: 1_000_000,
    whole: documentEnd,
    onPart: ({ body }) => bodies.push(body),
  });
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return told(bodies);
}
const posted = (contentType: string, bytes: Buffer): string[] =>
  told(messageParts(contentType, bytes).parts.map(({ body }) => body));

const BROWSERS = '-'.repeat(27) + '7e71c2a90b14';
const FORMS: [string, string][] = [
  [`multipart/form-data; boundary=${BROWSERS}`, BROWSERS],
  ['multipart/form-data; boundary=----Form9aK2', '----Form9aK2'],
  ['multipart/mixed;boundary=--mark', '--mark'],
  ['multipart/mixed;boundary=--mark', 'mark'],
  ['multipart/mixed; boundary=<mark>', '<mark>'],
  ['multipart/mixed; boundary="mark"', 'mark'],
  ["multipart/mixed; boundary='mark'", 'mark'],
  ['Multipart/Mixed; Boundary = mark', 'mark'],
  ['multipart/mixed; boundary=', 'mark'],
  ['multipart/mixed', 'mark'],
  ['multipart/mixed; boundary=mark', 'another'],
  ['multipart/mixed; boundary=mark', 'mark-and-more'],
];
test.each(FORMS)('the parts are found where %s is announced and %s written', (contentType, boundary) => {
  const parts = ALERTS.map((alert) => XML_PART(alert));
  for (const form of [{}, { eol: '\n' }, { doubled: true }]) {
    expect(posted(contentType, multipart(parts, { boundary, ...form }))).toEqual(ALERTS_TOLD);
    const open = multipart(parts, { boundary, closed: false, ...form });
    expect(streamed(contentType, open)).toEqual(ALERTS_TOLD);
  }
});

test('any split of the bytes gives the same parts', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMS),
      fc.integer({ min: 1, max: 400 }),
      ([contentType, boundary], piece) => {
        const bytes = multipart(
          ALERTS.map((alert) => XML_PART(alert)),
          { boundary, closed: false },
        );
        expect(streamed(contentType, bytes, piece)).toEqual(ALERTS_TOLD);
      },
    ),
    { numRuns: 60 },
  );
});

test('a boundary of another kind before the announced one is passed over', () => {
  const bytes = multipart([XML_PART(ALERTS[0] ?? ''), PICTURE_PART(jpeg(3_000))]);
  const more = Buffer.concat([Buffer.from('--something-else\r\n'), bytes]);
  const { parts } = messageParts('multipart/form-data; boundary=boundary', more);
  expect(parts.map(({ body }) => body.length)).toEqual([(ALERTS[0] ?? '').length, 3_000]);
});

test('a stream that begins within a part brings it, too', () => {
  const bytes = multipart(
    ALERTS.map((alert) => XML_PART(alert)),
    { closed: false },
  );
  for (const begins of ['Content-Type', '<?xml'])
    expect(streamed('multipart/mixed; boundary=boundary', bytes.subarray(bytes.indexOf(begins)))).toEqual(
      ALERTS_TOLD,
    );
});

test('what begins like parts and has none is one part, for its source to refuse', () => {
  const bytes = Buffer.from('--only a line\r\n');
  expect(messageParts('multipart/mixed; boundary=mark', bytes).parts).toEqual([{ headers: {}, body: bytes }]);
});

test.each(['utf-16le', 'utf-16be'])('a document in %s is read by its mark', (encoding) => {
  const text = `\ufeff${alertXml().replace('UTF-8', 'UTF-16').replace('Gate', '北门')}`;
  const bytes = Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') bytes.swap16();
  const [part] = messageParts('application/xml', bytes).parts;
  expect(part?.body.toString('utf8')).toContain('<channelName>北门</channelName>');
  expect(part && textOf(part.body, part.headers['content-type'])).toContain(
    '<channelName>北门</channelName>',
  );
});
