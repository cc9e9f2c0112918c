// Small pictures for lists: made at headquarters of what is here, whatever a camera has sent.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { Joined } from './joined.ts';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 10, g: 90, b: 200 } } });

/** Processes of this one that make small pictures. */
function makers(): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((line) => line.includes('common/core/evidence/small/process.ts'))
    .map((line) => Number.parseInt(line, 10));
}

test('a picture that is here is made small; what is none, or too large, is refused by name', async () => {
  const files = {
    'wide.jpg': await picture(1920, 1080).jpeg().toBuffer(),
    'tall.png': await picture(300, 900).png().toBuffer(),
    'tiny.png': await picture(16, 16).png().toBuffer(),
    'noise.jpg': randomBytes(10_000),
    'page.jpg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'bomb.png': await picture(10_000, 8_000).png().toBuffer(),
  };
  const joined = await Joined.open(scene);
  // No preview of it comes by itself: only alerts have one.
  const atSite = await joined.event(files, { kind: 'observation' });
  for (const [name, bytes] of Object.entries(files)) await joined.upload(atSite, name, bytes);
  const id = await joined.newestAtHub();
  // Of one that is still at its site the answer is the same as for the file.
  expectStatus(await joined.get(id, 'wide.jpg?size=small'), 202);
  for (const name of Object.keys(files))
    await until(`${name} is here`, async () => (await joined.get(id, name)).status === 200);

  expect(makers()).toEqual([]);
  const sizes: Record<string, [number, number]> = {
    'wide.jpg': [320, 180],
    'tall.png': [107, 320],
    'tiny.png': [16, 16],
  };
  await Promise.all(
    Object.entries(sizes).map(async ([name, [width, height]]) => {
      const small = await sharp(await joined.bytes(id, name, '?size=small')).metadata();
      expect(small, name).toMatchObject({ format: 'jpeg', width, height });
    }),
  );
  const reasons = { 'noise.jpg': 'not a JPEG', 'page.jpg': 'not a JPEG', 'bomb.png': '50 million pixels' };
  for (const [name, reason] of Object.entries(reasons)) {
    const answer = expectStatus(await joined.get(id, `${name}?size=small`), 422);
    expect(jsonOf(answer)).toMatchObject({
      error: 'no_small_picture',
      message: expect.stringContaining(reason) as string,
    });
  }
  expectStatus(await joined.get(id, 'wide.jpg?size=large'), 400);
  expectStatus(await joined.get(id, 'wide.jpg?size=small&tenant_code=other'), 404);
  // A site makes none.
  const there = await joined.site.call('GET', `/api/core/events/${atSite}/evidence/wide.jpg?size=small`);
  expect(jsonOf(expectStatus(there, 422))).toMatchObject({ error: 'no_small_picture' });
});

test('the process that makes them is killed and stopped, and the next picture is made all the same', async () => {
  const bytes = await picture(640, 480).jpeg().toBuffer();
  const joined = await Joined.open(scene);
  // For the preview of an alert the site has such a process too.
  await joined.upload(await joined.event({ 'a.jpg': bytes }, { kind: 'observation' }), 'a.jpg', bytes);
  const id = await joined.newestAtHub();
  await until('the file is here', async () => (await joined.get(id, 'a.jpg')).status === 200);
  const small = (): Promise<{ status: number }> => joined.get(id, 'a.jpg?size=small');
  expect((await small()).status).toBe(200);
  const [maker = 0] = makers();
  expect(readFileSync(`/proc/${maker}/environ`, 'utf8')).not.toContain('CORE_');
  process.kill(maker, 'SIGKILL');
  await until('it has ended', () => Promise.resolve(makers().length === 0));
  expect((await small()).status).toBe(200);
  // One that is asked for when it is killed is refused or made, and nothing else happens.
  const [next = 0] = makers();
  process.kill(next, 'SIGSTOP');
  const caught = small();
  process.kill(next, 'SIGKILL');
  expect([200, 422]).toContain((await caught).status);
  expect((await small()).status).toBe(200);
  await joined.hub.hub.stop();
  expect(makers()).toEqual([]);
});
