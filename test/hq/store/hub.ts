// A hub store on a database of its own, and events to put in it.
import type pg from 'pg';
import { afterEach } from 'vitest';
import type { Clock, Stamp } from '../../../common/clock.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { WriteCorrection, WriteVerdict } from '../../../common/core/verdict/record.ts';
import { silentLogger } from '../../../common/log.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { createHubDatabase, type TestDatabase } from '../../support/postgres.ts';

export const T0 = Date.UTC(2026, 2, 1);

export interface TestClock extends Clock {
  set(now: number): void;
}

export function testClock(): TestClock {
  let now = T0;
  let ids = 0;
  return {
    now: () => now,
    monotonic: () => now,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    set: (value) => void (now = value),
  };
}

export const stampAt = (now: number, clock: Clock): Stamp => ({ now, newId: () => clock.newId() });

/** Databases and stores opened by a test are closed after it. */
export function hubStores(): {
  database(make?: () => Promise<TestDatabase>): Promise<TestDatabase>;
  open(url: string, clock?: Clock): Promise<HubStore>;
  /** Closes a store that the test opened itself. */
  closing(store: HubStore): void;
} {
  const stores: HubStore[] = [];
  const databases: TestDatabase[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const database of databases.splice(0)) await database.drop();
  });
  return {
    database: async (make = createHubDatabase) => {
      const database = await make();
      databases.push(database);
      return database;
    },
    open: async (url, clock = testClock()) => {
      const store = await openHubStore({ url, clock, log: silentLogger(), poolSize: 5 });
      stores.push(store);
      return store;
    },
    closing: (store) => void stores.push(store),
  };
}

export const event = (key: string, more: Partial<NewEvent> = {}): NewEvent => ({
  tenantCode: 'acme',
  idempotencyKey: key,
  type: 'vehicle.intrusion',
  kind: 'alert',
  source: 'video',
  severity: 'high',
  occurredAt: T0 - 1000,
  isTest: false,
  nodeKey: 'cam-1',
  doc: '{"title":"gate"}',
  ...more,
});

export const uplinked = (key: string, originId: number, more: Partial<NewEvent> = {}): NewEvent =>
  event(key, { nodeKey: null, origin: { instance: 'site-1', originId, receivedAt: T0 - 500 }, ...more });

export const verdict = (eventId: number, more: Partial<WriteVerdict> = {}): WriteVerdict => ({
  eventId,
  tenantCode: null,
  verdict: 'confirmed',
  by: 'duty',
  byKind: 'human',
  note: null,
  mergedInto: null,
  judged: null,
  disposition: null,
  decisionId: null,
  actor: 'admin',
  ...more,
});

export const correction = (
  eventId: number,
  id: string,
  more: Partial<WriteCorrection> = {},
): WriteCorrection => ({
  id,
  eventId,
  tenantCode: null,
  verdict: 'false_alarm',
  by: 'chief',
  byKind: 'human',
  note: 'a dog',
  mergedInto: null,
  decisionId: null,
  actor: 'admin',
  ...more,
});

type Query = (...args: unknown[]) => unknown;

/**
 * Calls `before` ahead of each statement sent as plain text on the store's connections, such as begin and
 * commit.
 */
export function watchStatements(store: HubStore, before: (statement: string) => Promise<void> | void): void {
  const watched = new WeakSet<pg.PoolClient>();
  const connect = store.pool.connect.bind(store.pool);
  const watchedConnect = async (): Promise<pg.PoolClient> => {
    const client = await connect();
    if (watched.has(client)) return client;
    watched.add(client);
    const query = client.query.bind(client) as Query;
    const withWatch = function (...args: unknown[]): unknown {
      const [statement] = args;
      if (typeof statement !== 'string') return query(...args);
      const wait = before(statement);
      return wait ? wait.then(() => query(...args)) : query(...args);
    };
    Object.assign(client, { query: withWatch });
    return client;
  };
  // pool.query asks with a callback; it sends single statements only.
  Object.assign(store.pool, {
    connect: (callback?: Parameters<typeof connect>[0]) => (callback ? connect(callback) : watchedConnect()),
  });
}
