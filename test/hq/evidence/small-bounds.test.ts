// Why no small picture is made although the file is here, and how many may wait for one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SmallPictures } from '../../../common/core/evidence/small/pictures.ts';
import { silentLogger } from '../../../common/log.ts';

let dir: string;
let pictures: SmallPictures;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-small-'));
  const bounds = { side: 320, bytes: null, most: { pixels: 5e7, progressive: 5e7 } };
  const limits = { fileBytes: 32 * 1024 * 1024, withinMs: 20_000, memoryMb: 1_024, idleMs: 60_000 };
  pictures = new SmallPictures({ ...bounds, ...limits }, silentLogger());
});
afterEach(() => {
  pictures.stop();
  rmSync(dir, { recursive: true });
});

async function picture(): Promise<string> {
  const file = path.join(dir, 'a.jpg');
  const background = { r: 1, g: 2, b: 3 };
  writeFileSync(
    file,
    await sharp({ create: { width: 640, height: 480, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  );
  return file;
}
const ended = (made: Promise<Buffer>): Promise<object> =>
  made.then(
    () => ({ status: 200 }),
    (error: object) => error,
  );

test('64 callers wait, and the next one is told to come again; once they are served there is room', async () => {
  const file = await picture();
  const waiting = Array.from({ length: 64 }, () => ended(pictures.shrink(file, 1_000)));
  await expect(pictures.shrink(file, 1_000)).rejects.toMatchObject({
    status: 503,
    code: 'small_pictures_unavailable',
    retryAfterSeconds: 5,
  });
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 64 }, () => ({ status: 200 })));
  expect(await ended(pictures.shrink(file, 1_000))).toEqual({ status: 200 });
});

test('a file of more than 32 MiB is refused without a look at it', async () => {
  const missing = path.join(dir, 'none');
  await expect(pictures.shrink(missing, 32 * 1024 * 1024 + 1)).rejects.toMatchObject({
    status: 422,
    code: 'no_small_picture',
  });
});

test('where the process does not start it is said so, and the next caller tries again', async () => {
  const file = await picture();
  const own = process.execPath;
  process.execPath = path.join(dir, 'no-node');
  try {
    await expect(pictures.shrink(file, 1_000)).rejects.toMatchObject({
      status: 503,
      code: 'small_pictures_unavailable',
    });
  } finally {
    process.execPath = own;
  }
  expect(await ended(pictures.shrink(file, 1_000))).toEqual({ status: 200 });
});

test('whoever waits while the program stops is told so', async () => {
  const file = await picture();
  const waiting = [1, 2, 3].map(() => ended(pictures.shrink(file, 1_000)));
  pictures.stop();
  for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ status: 503 });
});
