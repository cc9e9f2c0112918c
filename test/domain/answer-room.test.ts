// What lists may take that are being answered: a few at a time, and no more unread than there is room for.
import http from 'node:http';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AnswerRoom } from '../../common/http/body/answers.ts';
import { BodyBudget, SITE_BODIES } from '../../common/http/body/budget.ts';
import { type AppHere, openRoute, startApp } from '../support/http-app.ts';
import { request, until } from '../support/request.ts';

const LIMITS = { atOnce: 2, waiting: 1, unsent: 1_000, unsentOfOne: 600 };
const REFUSED = { status: 503, code: 'overloaded' };

test('so many are made at a time, so many wait, and the next is refused', async () => {
  const room = new AnswerRoom(LIMITS);
  const first = await room.enter('a');
  await room.enter('a');
  const third = room.enter('a');
  expect(() => room.enter('a')).toThrow(expect.objectContaining(REFUSED) as Error);
  first();
  await expect(third).resolves.toBeTypeOf('function');
  expect(room.refused).toBe(1);
});

test('what nobody has read yet leaves no room, for its own address first', async () => {
  const room = new AnswerRoom(LIMITS);
  const sent = room.hold('a', 700);
  expect(() => room.enter('a')).toThrow(expect.objectContaining(REFUSED) as Error);
  (await room.enter('b'))();
  const others = room.hold('b', 300);
  expect(() => room.enter('c')).toThrow(expect.objectContaining(REFUSED) as Error);
  sent();
  others();
  expect(room.unsent).toBe(0);
  (await room.enter('a'))();
});

let app: AppHere | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

test('a reader who does not read is refused his next list, and others are not until all room is taken', async () => {
  const bodies = new BodyBudget({
    ...SITE_BODIES,
    answers: { atOnce: 2, waiting: 10, unsent: 64 * 1024 * 1024, unsentOfOne: 1024 * 1024 },
  });
  const schema = z.object({ items: z.array(z.string()) });
  const list = {
    ...openRoute('GET', '/list', () => ({ body: `{"items":["${'x'.repeat(16 * 1024 * 1024)}"]}` })),
    replies: { 200: { description: 'A list', schema } },
  };
  app = await startApp([list, openRoute('GET', '/small')], pino({ level: 'silent' }), { bodies });
  const { url } = app;
  const open = await new Promise<http.IncomingMessage>((resolve) => http.get(`${url}/list`, resolve));
  await until('the answer is made', async () => bodies.answers.unsent > 1024 * 1024);
  const next = await request({ url, method: 'GET', path: '/list' });
  expect([next.status, next.headers['retry-after']]).toEqual([503, '2']);
  expect((await request({ url, method: 'GET', path: '/small' })).status).toBe(200);
  open.destroy();
  await until('the room is given back', async () => bodies.answers.unsent === 0);
});
