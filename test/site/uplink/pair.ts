// A site's sender with the real hub: its routes, its store, Postgres. Time passes at both ends together.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { silentLogger } from '../../../common/log.ts';
import { type Hub, startHub } from '../../../hq/app.ts';
import { readHubConfig } from '../../../hq/config.ts';
import { SECOND, TestClock } from '../../support/clock.ts';
import { createHubDatabase } from '../../support/postgres.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

const ADMIN_KEY = 'fla_key-of-this-one-test-for-its-hub';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export interface Pair {
  hub: Hub;
  rig: Rig;
  clock: TestClock;
  call(method: string, target: string, body?: unknown): Promise<Answer>;
  /** All three channels until nothing is left to send. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** @param over of the sender @param through the address under which the site finds the hub */
export async function openPair(
  tenants: string[] = ['acme'],
  over: RigOptions = {},
  through: (hub: string) => Promise<string> = (hub) => Promise.resolve(hub),
): Promise<Pair> {
  const clock = new TestClock(undefined, 7);
  const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-uplink-hub-'));
  const database = await createHubDatabase();
  const config = readHubConfig({
    CORE_LISTEN: '127.0.0.1:0',
    CORE_DATA_DIR: dir,
    DATABASE_URL: database.url,
    CORE_ADMIN_KEY_REF: 'env:ADMIN',
    ADMIN: ADMIN_KEY,
    AGENT_ENABLED: 'false',
  });
  const hub = await startHub(config, { clock, log: silentLogger() });
  const call: Pair['call'] = async (method, target, body) => {
    const answer = await fetch(hub.url + target, {
      method,
      headers: {
        'x-admin-key': ADMIN_KEY,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const { body: key } = await call('POST', '/api/core/sites', { instance: 'site-1', tenants });
  const rig = await openRig({
    url: await through(hub.url),
    batch: 100,
    key: () => key as unknown as SigningKey,
    ...over,
  });
  return {
    hub,
    rig,
    clock,
    call,
    drain: async () => {
      clock.advance(4 * SECOND);
      rig.clock.advance(4 * SECOND);
      await rig.drain();
      await rig.drainChanges();
    },
    close: async () => {
      await rig.close();
      await hub.stop();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
