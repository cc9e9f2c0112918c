// Compressed bodies that come together: each is unfolded in its turn, and none is refused for the room that
// another takes only while it is unfolded.
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompress } from '../../common/http/body/body.ts';
import { BodyBudget, type BodyHold, HUB_BODIES } from '../../common/http/body/budget.ts';
import { MAX_BYTES } from '../../common/uplink/wire.ts';

const SENT = { headers: { 'content-encoding': 'gzip' } } as IncomingMessage;
const BODY = Buffer.from('{"items":[]}');

const unfold = (raw: Buffer, hold: BodyHold, max = MAX_BYTES): Promise<Buffer> =>
  decompress(SENT, raw, max, hold);
const holdsOf = (bodies: BodyBudget, count: number): BodyHold[] =>
  Array.from({ length: count }, () => bodies.open('proven', '127.0.0.1', 0));

test('batches of a whole fleet are unfolded, each of which might have taken 16 MiB', async () => {
  const bodies = new BodyBudget(HUB_BODIES);
  const holds = holdsOf(bodies, 200);
  const plain = await Promise.all(holds.map((hold) => unfold(gzipSync(BODY), hold)));
  expect(plain.every((one) => one.equals(BODY))).toBe(true);
  expect([bodies.refused, bodies.held.total]).toEqual([0, 200 * BODY.length]);
});

test('where others hold the room it is refused, as is what cannot be unfolded, and the next has its turn', async () => {
  const bodies = new BodyBudget({ ...HUB_BODIES, total: 2_000, unfoldedAtOnce: 1 });
  bodies.take('proven', '127.0.0.1', 400);
  const sent = [
    { raw: gzipSync(BODY), max: 1_700 },
    { raw: Buffer.from('none'), max: 400 },
    { raw: gzipSync(Buffer.alloc(900)), max: 400 },
    { raw: gzipSync(BODY), max: 400 },
  ];
  const holds = holdsOf(bodies, sent.length);
  const ends = await Promise.allSettled(
    sent.map(({ raw, max }, index) => unfold(raw, holds[index] as BodyHold, max)),
  );
  expect(ends).toMatchObject([
    { reason: { status: 503, code: 'overloaded' } },
    { reason: { status: 400, code: 'bad_encoding' } },
    { reason: { status: 413, code: 'body_too_large' } },
    { value: BODY },
  ]);
});
