// What a consumer may ask for in its answer to a push.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../common/core/event/record.ts';
import { readReceipt } from '../../common/core/push/receipt.ts';
import { docOf, newEvent } from '../contract/samples.ts';

const evidence = [{ name: 'a.jpg', contentType: 'image/jpeg', size: 3, sha256: 'a'.repeat(64) }];
const event = (id: number, instance: string | null = null): EventRecord => ({
  ...newEvent(`k${id}`, { doc: docOf({ evidence }) }),
  id,
  receivedAt: 0,
  instance,
  originId: null,
  originReceivedAt: null,
  verdict: null,
  correctedTo: null,
});
const read = (answer: unknown) =>
  readReceipt(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)), {
    consumer: 'c',
    events: [event(7), event(8, 'site-2')],
    newId: () => 'j',
    seal: JSON.stringify,
  });
const entry = (over: object = {}) => ({
  event_id: 7,
  name: 'a.jpg',
  put_url: 'https://s.example/b?sig=1',
  ...over,
});

describe('a receipt', () => {
  test('becomes jobs', () => {
    expect(
      read({ evidence: [entry({ headers: { 'Content-Type': 'image/jpeg', 'X-Amz-Acl': 'private' } })] }),
    ).toEqual({
      faults: 0,
      lastFault: null,
      jobs: [
        {
          id: 'j',
          tenantCode: 'acme',
          eventId: 7,
          name: 'a.jpg',
          consumer: 'c',
          putUrl: 'https://s.example/b',
          access:
            '{"putUrl":"https://s.example/b?sig=1","headers":{"Content-Type":"image/jpeg","X-Amz-Acl":"private"}}',
          state: 'pending',
          lastError: null,
        },
      ],
    });
  });

  test('names a file twice and gets it once', () => {
    expect(read({ evidence: [entry(), entry()] }).jobs).toHaveLength(1);
    expect(read({ evidence: [entry(), entry({ put_url: 'https://s.example/b?sig=2' })] }).jobs).toHaveLength(
      2,
    );
  });

  test('for an event of another place is a job like any other: its site carries it out', () => {
    expect(read({ evidence: [entry({ event_id: 8 })] })).toMatchObject({
      faults: 0,
      jobs: [{ state: 'pending', lastError: null }],
    });
  });

  test.each(['', 'OK', 'null', '[]', '{}', '<html>', '{"evidence":[]}', '{"other":1}'])(
    'that asks for nothing is none: %j',
    (text) => {
      expect(read(text)).toEqual({ jobs: [], faults: 0, lastFault: null });
    },
  );

  test.each<[string, unknown, RegExp]>([
    ['broken JSON', '{"evidence":', /not valid JSON/],
    ['no list', { evidence: {} }, /must be a list/],
    ['no object', { evidence: [3] }, /\S/],
    ['an event that was not pushed', { evidence: [entry({ event_id: 9 })] }, /was not in this push/],
    ['a file that was not announced', { evidence: [entry({ name: 'b.jpg' })] }, /announced no evidence/],
    ['a path', { evidence: [entry({ name: '../../etc/passwd' })] }, /announced no evidence/],
    ['a scheme of its own', { evidence: [entry({ put_url: 'file:///etc/passwd' })] }, /put_url/],
    ['a password in the address', { evidence: [entry({ put_url: 'http://u:p@h/' })] }, /put_url/],
    [
      'a line end in a header',
      { evidence: [entry({ headers: { 'content-type': 'a\r\nHost: b' } })] },
      /visible ASCII/,
    ],
    ['too many files', { evidence: Array.from({ length: 2_001 }, () => entry()) }, /at most 2000/],
    ...[
      'Host',
      'Content-Length',
      'Transfer-Encoding',
      'connection',
      'TE',
      'Upgrade',
      'Expect',
      'Proxy-Authorization',
      'Cookie',
      'X-Forwarded-For',
      'X-Admin-Key',
      'X-Core-Key',
      'a b',
      '__proto__x',
    ].map((name): [string, unknown, RegExp] => [
      `the header ${name}`,
      { evidence: [entry({ headers: { [name]: 'x' } })] },
      /may not be set/,
    ]),
  ])('with %s is a fault, counted and named', (_, answer, fault) => {
    expect(read(answer)).toMatchObject({ faults: 1, lastFault: expect.stringMatching(fault) });
  });

  test('with a bad entry keeps the good ones', () => {
    expect(read({ evidence: [null, entry(), entry({ name: 'x' })] })).toMatchObject({
      faults: 2,
      jobs: [{ name: 'a.jpg' }],
    });
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ evidence: value })),
        ),
        (text) => void read(text),
      ),
    );
    fc.assert(
      fc.property(
        fc.uint8Array(),
        (bytes) =>
          void readReceipt(Buffer.from(bytes), {
            consumer: 'c',
            events: [],
            newId: () => 'j',
            seal: JSON.stringify,
          }),
      ),
    );
  });
});

test('a receipt of more members than its entries can have is not parsed', () => {
  const frame = { consumer: 'agent', events: [], newId: () => 'x', seal: () => '' };
  for (const text of [
    `{"evidence":[{${Array.from({ length: 1_000 }, (_, at) => `"a${at}":1`).join(',')}}]}`,
    `{"evidence":${'['.repeat(50)}${']'.repeat(50)}}`,
  ]) {
    expect(readReceipt(Buffer.from(text), frame)).toEqual({
      jobs: [],
      faults: 1,
      lastFault: 'the receipt has more members than its entries can have',
    });
  }
});
