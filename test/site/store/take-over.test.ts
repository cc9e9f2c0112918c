// A store of an older program: its events, which held numbers for texts, are taken over when the store is
// opened, wherever that is cut short.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { migrate, readMigrations } from '../../../site/store/migrate.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { takeOverEvents } from '../../../site/store/event-index/take-over.ts';
import { anEvent, newDir, openStore } from './support.ts';

const COUNT = 5_000;
const TYPES = ['vehicle.intrusion', 'fire.smoke', '12', '=odd'];

/** A store as the program of before left it, with the tables of its index. */
function olderStore(dir: string): void {
  const db = new Database(path.join(dir, 'site.db'));
  db.pragma('journal_mode = WAL');
  migrate(db, {
    migrations: readMigrations().filter(({ version }) => version < 140),
    now: 0,
    copyPath: () => '',
  });
  const words = new Map<string, number>();
  const word = (text: string | null) => {
    if (text === null) return null;
    if (text === 'no.room' || text === '=odd') return `=${text}`;
    const id = words.get(text) ?? words.size + 1;
    if (!words.has(text)) db.prepare('INSERT INTO words (id, text) VALUES (?, ?)').run(id, text);
    words.set(text, id);
    return id;
  };
  const insert =
    db.prepare(`INSERT INTO events (id, tenant_code, idempotency_key, type, kind, source, severity,
      occurred_at, received_at, is_test, node_key, doc)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  db.transaction(() => {
    for (let id = 1; id <= COUNT; id += 1) {
      const { tenantCode, type, kind, source, severity, nodeKey, doc } = eventOf(id);
      insert.run(
        id,
        word(tenantCode),
        `k${id}`,
        word(type),
        word(kind),
        word(source),
        word(severity),
        id,
        id,
        0,
        word(nodeKey),
        doc,
      );
    }
    db.exec(`INSERT INTO meta (key, value) VALUES ('blocks_upto', '4000'), ('block_changes_upto', '1'),
      ('epoch', 'as-before');
      INSERT INTO verdicts (event_id, tenant_code, verdict, by, by_kind, at)
        VALUES (7, 'north', 'confirmed', 'li', 'human', 1);
      INSERT INTO verdict_changes (change_no, at, event_id, tenant_code, kind, body)
        VALUES (1, 1, 7, 'north', 'verdict', '{}')`);
  })();
  db.close();
}

const eventOf = (id: number) =>
  anEvent(`k${id}`, {
    tenantCode: id % 3 === 0 ? 'no.room' : 'north',
    type: TYPES[id % TYPES.length] ?? '',
    severity: id % 5 === 0 ? null : 'high',
    nodeKey: id % 7 === 0 ? null : 'cam-1',
    occurredAt: id,
  });

async function expectWhole(store: SiteStore): Promise<void> {
  expect(store.epoch()).toBe('as-before');
  await store.eventIndex.fill();
  const page = await store.events.page(0, COUNT + 10);
  expect(
    page.map(({ id, tenantCode, idempotencyKey, type, kind, source, severity, nodeKey, occurredAt }) => [
      id,
      tenantCode,
      idempotencyKey,
      type,
      kind,
      source,
      severity,
      nodeKey,
      occurredAt,
    ]),
  ).toEqual(
    Array.from({ length: COUNT }, (_, i) => {
      const { tenantCode, idempotencyKey, type, kind, source, severity, nodeKey, occurredAt } = eventOf(
        i + 1,
      );
      return [i + 1, tenantCode, idempotencyKey, type, kind, source, severity, nodeKey, occurredAt];
    }),
  );
  const list = (over: object) =>
    store.events.list({ tenantCode: null, includeTest: true, ...over }, null, 10_000);
  expect((await list({ verdict: 'confirmed' })).map(({ id }) => id)).toEqual([7]);
  expect((await list({ type: '12', tenantCode: 'no.room' })).length).toBe(
    page.filter(({ type, tenantCode }) => type === '12' && tenantCode === 'no.room').length,
  );
  expect(
    (await store.events.ingest([eventOf(3), anEvent('new')], 1)).map(({ id, duplicate }) => [id, duplicate]),
  ).toEqual([
    [3, true],
    [COUNT + 1, false],
  ]);
  expect(store.eventIndex.count()).toBe(COUNT + 1);
}

test('everything of an older store is there, as it was', async () => {
  const dir = newDir();
  olderStore(dir);
  const store = await openStore({ dir });
  await expectWhole(store);
  await store.close();
  const db = new Database(path.join(dir, 'site.db'), { readonly: true });
  expect(
    db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE name IN ('words', 'events_in_words', 'event_blocks', " +
          "'block_groups')",
      )
      .all(),
  ).toEqual([]);
  db.close();
});

test('what was cut short goes on at the next start, from wherever it was', async () => {
  for (const slices of [0, 1, 2]) {
    const dir = newDir();
    olderStore(dir);
    const db = new Database(path.join(dir, 'site.db'));
    migrate(db, {
      migrations: readMigrations(),
      now: 0,
      copyPath: (from) => path.join(dir, `copy-${from}.db`),
    });
    // The connection ends in the middle of the transaction of one slice, as that of a killed process.
    const cut = new Proxy(db, {
      get: (of, name) => (name === 'transaction' ? cutAfter(of, slices) : bound(of, name)),
    });
    expect(() => takeOverEvents(cut, silentLogger())).toThrow('killed');
    // What a restore goes by.
    expect(db.prepare("SELECT value FROM meta WHERE key = 'last_event_id'").pluck().get()).toBe(
      String(COUNT),
    );
    db.close();
    const store = await openStore({ dir });
    await expectWhole(store);
    await store.close();
  }
});

const bound = (of: Database.Database, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? (value.bind(of) as unknown) : value;
};

function cutAfter(db: Database.Database, slices: number) {
  let done = 0;
  return (work: () => unknown) =>
    db.transaction(() => {
      const result = work();
      if ((done += 1) > slices) throw new Error('killed');
      return result;
    });
}

test('an older store that is damaged is saved, also one that was being taken over', async () => {
  for (const part of [0, 2_500]) {
    const dir = newDir();
    olderStore(dir);
    const file = path.join(dir, 'site.db');
    const db = new Database(file);
    if (part > 0) {
      migrate(db, {
        migrations: readMigrations(),
        now: 0,
        copyPath: (from) => path.join(dir, `copy-${from}.db`),
      });
      const cut = new Proxy(db, {
        get: (of, name) => (name === 'transaction' ? cutAfter(of, 1) : bound(of, name)),
      });
      expect(() => takeOverEvents(cut, silentLogger())).toThrow('killed');
    }
    db.exec("DELETE FROM words WHERE text = 'fire.smoke'");
    db.close();
    const fd = fs.openSync(file, 'r+');
    fs.writeSync(fd, Buffer.alloc(100), 0, 100, 0);
    fs.closeSync(fd);
    const store = await openStore({ dir });
    expect(store.opened.salvaged?.reason).toBeDefined();
    const page = await store.events.page(0, COUNT + 10);
    expect(page.length).toBe(COUNT);
    const types = page.map(({ id, type }) =>
      TYPES[id % TYPES.length] === 'fire.smoke' ? type.replace(/^lost-word-\d+$/, 'fire.smoke') : type,
    );
    expect(types).toEqual(page.map(({ id }) => TYPES[id % TYPES.length]));
    expect(page.some(({ type }) => type.startsWith('lost-word-'))).toBe(true);
    await store.close();
  }
});
