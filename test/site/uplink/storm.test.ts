// Headquarters was gone and comes back to all of its sites at once, each with a backlog.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { silentLogger } from '../../../common/log.ts';
import { type Hub, startHub } from '../../../hq/app.ts';
import { readHubConfig } from '../../../hq/config.ts';
import { range } from '../../contract/samples.ts';
import { campaign } from '../../support/campaign.ts';
import { TestClock } from '../../support/clock.ts';
import { createHubDatabase } from '../../support/postgres.ts';
import { freePort } from '../../support/process.ts';
import { openRig, type Rig } from './rig.ts';

const SITES = campaign('STORM_SITES', 6, 12);
const EVENTS = Number(process.env.STORM_EVENTS ?? 120);
const ADMIN_KEY = 'fla_key-of-this-one-test-for-its-hub';
/** Longer than any backoff. */
const LATER_MS = 130_000;

test('everything arrives once and in order, and nothing is parked', { timeout: 60_000 }, async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-storm-'));
  const database = await createHubDatabase();
  const port = await freePort();
  const config = readHubConfig({
    CORE_LISTEN: `127.0.0.1:${port}`,
    CORE_DATA_DIR: dir,
    DATABASE_URL: database.url,
    CORE_ADMIN_KEY_REF: 'env:ADMIN',
    ADMIN: ADMIN_KEY,
    AGENT_ENABLED: 'false',
  });
  const start = (): Promise<Hub> =>
    startHub(config, {
      clock: Object.assign(new TestClock(), { newId: () => crypto.randomUUID() }),
      log: silentLogger(),
    });
  let hub = await start();
  const rigs: Rig[] = [];
  try {
    for (let n = 0; n < SITES; n += 1) {
      const answer = await fetch(`${hub.url}/api/core/sites`, {
        method: 'POST',
        headers: { 'x-admin-key': ADMIN_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ instance: `site-${n}`, tenants: ['acme'] }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      const key = (await answer.json()) as SigningKey;
      rigs.push(
        await openRig({ url: `http://127.0.0.1:${port}`, instance: `site-${n}`, batch: 50, key: () => key }),
      );
    }
    await hub.stop();
    await Promise.all(
      rigs.map(async (rig, n) => {
        const ids = await rig.events(EVENTS, `s${n}-`);
        await rig.judge(ids[0] ?? 0);
        for (let tries = 0; tries < 3; tries += 1) await rig.round();
        expect(rig.cursor('events')).toBe(0);
      }),
    );
    hub = await start();
    await Promise.all(
      rigs.map(async (rig) => {
        rig.clock.advance(LATER_MS);
        await rig.drain();
      }),
    );
    const received: { instance: string; key: string }[] = [];
    for (let after = 0; ;) {
      const page = await hub.store.events.page(after, 1_000);
      received.push(
        ...page.map(({ idempotencyKey }) => ({
          instance: idempotencyKey.split('-')[0] ?? '',
          key: idempotencyKey,
        })),
      );
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
    expect(received).toHaveLength(SITES * EVENTS);
    for (let n = 0; n < SITES; n += 1)
      expect(received.filter(({ instance }) => instance === `s${n}`).map(({ key }) => key)).toEqual(
        range(EVENTS, (index) => `s${n}-${index}`),
      );
    expect(rigs.map(({ parked }) => parked.list({}, 10).length)).toEqual(rigs.map(() => 0));
    expect((await hub.store.verdicts.changes(0, 1_000)).length).toBe(SITES);
  } finally {
    for (const rig of rigs) await rig.close();
    await hub.stop();
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  }
});
