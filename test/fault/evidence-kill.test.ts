// A site is killed while it keeps an evidence file: before the file is in its place, and between the file and
// its row.
import { hash, randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHeaders } from '../../common/http/signing/signature.ts';
import { registerNode } from '../support/deployment.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

const BYTES = randomBytes(100_000);
const SHA256 = hash('sha256', BYTES, 'hex');
const LONG_AGO_S = Date.now() / 1000 - 2 * 3_600;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test.each([
  ['before rename', []],
  ['after rename', [SHA256]],
])(
  'killed %s: nothing is shown, the same upload succeeds, and what nobody sends again is removed',
  async (step, left) => {
    const site = new Program({
      main: 'test/support/evidence-killed-site.ts',
      dataDir: scene.dir,
      port: await freePort(),
    });
    scene.onClose(() => site.kill());
    const killAt = (text: string): void => writeFileSync(path.join(scene.dir, 'kill-at'), text);
    const evidence = path.join(scene.dir, 'evidence');
    // The folder's own mark lies beside the folders of the events.
    const kept = (): string[] =>
      readdirSync(evidence, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && one.parentPath !== evidence && !one.parentPath.endsWith('incoming'))
        .map(({ name }) => name);
    killAt(step);
    await site.start();
    const key = await registerNode(site, 'gate');
    const body = JSON.stringify({
      idempotency_key: 'k',
      type: 'vehicle.intrusion',
      evidence: [{ name: 'a.jpg', content_type: 'image/jpeg', size: BYTES.length, sha256: SHA256 }],
    });
    const id =
      jsonOf<{ items: { id: number }[] }>(
        expectStatus(
          await signedCall({ url: site.url, key, method: 'POST', path: '/api/core/events', body }),
          201,
        ),
      ).items[0]?.id ?? 0;
    const target = `/api/core/events/${id}/evidence/a.jpg`;
    const put = (): Promise<Answer | null> =>
      request({
        url: site.url,
        method: 'PUT',
        path: target,
        body: BYTES,
        headers: signedHeaders(key, Date.now(), 'PUT', target, BYTES),
      }).catch(() => null);
    const state = async (): Promise<string | undefined> =>
      jsonOf<{ items: { state: string }[] }>(await site.api('GET', `/api/core/events/${id}/evidence`))
        .items[0]?.state;

    expect(await put()).toBeNull();
    await until('the site was killed', async () => !site.running);
    expect(kept()).toEqual(left);
    killAt('');
    await site.start();
    expect([await state(), kept(), readdirSync(path.join(evidence, 'incoming'))]).toEqual([
      'announced',
      left,
      [],
    ]);
    expectStatus(await site.api('GET', target), 404);

    // Hours later nobody has sent it again.
    await site.stop();
    for (const name of kept()) utimesSync(path.join(evidence, '0', String(id), name), LONG_AGO_S, LONG_AGO_S);
    await site.start();
    await until('the file that nothing names is removed', async () => kept().length === 0);
    expect((await put())?.status).toBe(201);
    expect([await state(), kept()]).toEqual(['stored', [SHA256]]);
    // A file that a row names stays, however old.
    await site.stop();
    const beside = '0'.repeat(64);
    writeFileSync(path.join(evidence, '0', String(id), beside), 'left');
    for (const name of [SHA256, beside])
      utimesSync(path.join(evidence, '0', String(id), name), LONG_AGO_S, LONG_AGO_S);
    await site.start();
    await until('the file beside it is removed', async () => !kept().includes(beside));
    expectStatus(await site.api('GET', target), 200);
  },
);
