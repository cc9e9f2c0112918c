// What opens the addresses that consumers name is kept sealed, on both stores, and forgotten when it is over.
import path from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sealAccess } from '../../common/core/evidence/access.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { EvidenceUploader } from '../../common/core/evidence/uploader.ts';
import type { Stores } from '../../common/core/stores.ts';
import { outerNetworks, parseNetworks } from '../../common/http/outbound/address.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import { silentLogger } from '../../common/log.ts';
import { SealedVault } from '../../common/secret/secret.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { openHubStore } from '../../hq/stores.ts';
import { DATABASE_FILE, openSiteStore } from '../../site/store/open.ts';
import { docOf, newEvent } from '../contract/samples.ts';
import { TEST_START, TestClock } from '../support/clock.ts';
import { room } from '../support/evidence-room.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { clientOf, createHubDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';

const KEY = Buffer.alloc(32, 7);
const SHA = 'b'.repeat(64);
const HEADERS = { authorization: 'Bearer of-the-consumer' };
const QUERY = '?sig=of-the-consumer';

/** A store, and what a thief with a copy of it can read of the jobs. */
interface Opened {
  stores: Stores;
  insert(id: string, putUrl: string, access: string): Promise<void>;
  text(): Promise<string>;
}

const COLUMNS =
  'id, tenant_code, event_id, name, consumer, put_url, access, state, last_error, attempts, next_at, ' +
  'created_at, settled_at';
const rowOf = (id: string, putUrl: string, access: string): unknown[] => [
  id,
  'acme',
  1,
  'a.jpg',
  'c',
  putUrl,
  access,
  'pending',
  null,
  0,
  TEST_START,
  TEST_START,
  null,
];

async function openSite(scene: Scene, clock: TestClock): Promise<Opened> {
  const stores = await openSiteStore({ dir: scene.dir, clock, log: silentLogger() });
  scene.onClose(() => stores.close());
  const raw = new Database(path.join(scene.dir, DATABASE_FILE));
  scene.onClose(() => raw.close());
  return {
    stores,
    insert: async (id, putUrl, access) =>
      void raw
        .prepare(`INSERT INTO evidence_jobs (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        .run(rowOf(id, putUrl, access)),
    text: async () => JSON.stringify(raw.prepare('SELECT * FROM evidence_jobs').all()),
  };
}

async function openHub(scene: Scene, clock: TestClock): Promise<Opened> {
  const { url } = await createHubDatabase();
  const stores = await openHubStore({ url, clock, log: silentLogger() });
  scene.onClose(() => stores.close());
  const raw = clientOf(url);
  await raw.connect();
  scene.onClose(() => raw.end());
  return {
    stores,
    insert: async (id, putUrl, access) =>
      void (await raw.query(
        `insert into evidence_jobs (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ` +
          '$12, $13)',
        rowOf(id, putUrl, access),
      )),
    text: async () => JSON.stringify((await raw.query('select * from evidence_jobs')).rows),
  };
}

describe('site', () => sealing(openSite));
describe('headquarters', () => sealing(openHub));

function sealing(open: (scene: Scene, clock: TestClock) => Promise<Opened>): void {
  let scene: Scene;
  let clock: TestClock;
  let opened: Opened;
  let storage: HttpPeer;
  let client: HttpClient;

  beforeEach(async () => {
    scene = new Scene();
    clock = new TestClock();
    opened = await open(scene, clock);
    storage = await new HttpPeer().open();
    client = createHttpClient(outerNetworks(parseNetworks(['127.0.0.0/8'])));
    const evidence = [{ name: 'a.jpg', contentType: 'image/jpeg', size: 3, sha256: SHA }];
    await opened.stores.events.ingest([newEvent('k', { doc: docOf({ evidence }) })], TEST_START);
  });
  afterEach(async () => {
    await storage.close();
    client.close();
    await scene.close();
  });

  const uploader = (key = KEY): EvidenceUploader =>
    new EvidenceUploader({
      ...opened.stores,
      jobs: opened.stores.evidenceJobs,
      client,
      clock,
      log: silentLogger(),
      secrets: { env: {}, masterKey: key },
      files: Object.assign(new EvidenceFiles(path.join(scene.dir, 'evidence')), {
        standing: async () => 'whole' as const,
        read: () => Readable.from([Buffer.from('abc')]),
      }),
    });
  /** A job for the file of the event, sealed under the program's key. */
  const asked = (): Promise<void> =>
    opened.insert(
      'j',
      `${storage.url}/b`,
      sealAccess(new SealedVault(KEY), { putUrl: `${storage.url}/b${QUERY}`, headers: HEADERS }),
    );
  const round = async (one: EvidenceUploader): Promise<void> => {
    await one.round();
    await one.settled();
  };

  test('a job opens when its file has come, and leaves nothing', async () => {
    await asked();
    expect(await opened.text()).not.toContain('of-the-consumer');
    const one = uploader();
    await round(one);
    expect(storage.heard).toEqual([]);
    expect(await opened.text()).toContain('sealed:');
    await opened.stores.evidence.store(
      { tenantCode: 'acme', eventId: 1, name: 'a.jpg', size: 3, sha256: SHA, storedAt: TEST_START },
      room(1_000),
      'node:cam',
      { now: TEST_START, newId: () => clock.newId() },
    );
    await round(one);
    expect(storage.heard).toMatchObject([{ method: 'PUT', target: `/b${QUERY}`, headers: HEADERS }]);
    expect(await opened.text()).not.toContain('sealed:');
  });

  test('one that was sealed under another key is given up with a reason', async () => {
    await asked();
    await opened.stores.evidence.store(
      { tenantCode: 'acme', eventId: 1, name: 'a.jpg', size: 3, sha256: SHA, storedAt: TEST_START },
      room(1_000),
      'node:cam',
      { now: TEST_START, newId: () => clock.newId() },
    );
    await round(uploader(Buffer.alloc(32, 8)));
    const [job] = await opened.stores.evidenceJobs.list({ tenantCode: null }, null, 10);
    expect(job).toMatchObject({
      state: 'failed',
      access: null,
      lastError: expect.stringContaining('sealed under another key'),
    });
  });
}
