// A site is killed while fifty cameras repeat their alarms 200 times a second.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendAlarms } from '../support/alarm-cameras.ts';
import { runs } from '../support/campaign.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf } from '../support/request.ts';

const CAMERAS = 50;
const FOR_MS = runs(5_000, 9_000);

test('every alarm of cameras that repeat theirs is one event, over the death of the site', async () => {
  const scene = new Scene();
  try {
    const site = new Program({ main: 'site/main.ts', dataDir: scene.dir, port: await freePort() });
    scene.onClose(() => site.kill());
    await site.start();
    const paths: string[] = [];
    for (let n = 0; n < CAMERAS; n += 1) {
      const body = { kind: 'hikvision', tenant_code: 'acme', name: `cam-${n}` };
      const made = expectStatus(await site.api('POST', '/api/core/devices', body), 201);
      paths.push(jsonOf<{ path: string }>(made).path);
    }
    const sending = sendAlarms({ url: site.url, paths, forMs: FOR_MS, pictureBytes: 0 });
    await pause(FOR_MS / 2);
    await site.kill();
    await site.start();
    const sent = await sending;
    expect(sent.again).toBeGreaterThan(0);
    const seen = new Set<number>();
    let cursor = '';
    do {
      const page = jsonOf<{ items: { id: number }[]; nextCursor: string | null }>(
        await site.api('GET', `/api/core/events/list?limit=200${cursor && `&cursor=${cursor}`}`),
      );
      for (const { id } of page.items) seen.add(id);
      cursor = page.nextCursor ?? '';
    } while (cursor !== '');
    expect(seen.size).toBe(sent.alarms);
    expect(sent.alarms).toBeGreaterThan(CAMERAS * 2);
  } finally {
    await scene.close();
  }
});
