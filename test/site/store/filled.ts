// A store with something in every table that is saved, closed in order or as a killed process leaves it, and
// which page holds which row.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { stampOf } from '../../../common/clock.ts';
import { silentLogger } from '../../../common/log.ts';
import { openDamaged } from '../../../site/salvage/damaged-file.ts';
import { DamagedTables } from '../../../site/salvage/damaged-tables.ts';
import { readPage } from '../../../site/salvage/page.ts';
import { named } from '../../../site/salvage/shape.ts';
import { openSiteStore, type SiteStore } from '../../../site/store/open.ts';
import { room } from '../../support/evidence-room.ts';
import { anEvent, aVerdict, testClock } from './support.ts';

export const LIVES = ['closed', 'killed'] as const;
export type Life = (typeof LIVES)[number];

export interface RowOnPages {
  table: string;
  key: string;
  row: Record<string, unknown>;
  /** Its leaf, and those that it runs over to. */
  pages: number[];
}

export interface Frame {
  page: number;
  commit: boolean;
  transaction: number;
  /** No later frame has this page. */
  newest: boolean;
}

export interface FilledStore {
  dir: string;
  rows: RowOnPages[];
  log: Frame[];
}

const EVENTS = 500;
/** Headquarters has confirmed the events up to here. */
export const CONFIRMED = EVENTS - 100;

export async function filledStore(life: Life): Promise<FilledStore> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldline-filled-'));
  const clock = testClock();
  const store = await openSiteStore({ dir, clock, log: silentLogger() });
  await fill(store, dir);
  if (life === 'closed') await store.close();
  else {
    // As it stands when the power goes: the newest part is in the log.
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldline-filled-'));
    for (const name of ['site.db', 'site.db-wal'])
      fs.copyFileSync(path.join(dir, name), path.join(copy, name));
    await store.close();
    fs.rmSync(dir, { recursive: true });
    return mapped(copy);
  }
  return mapped(dir);
}

async function fill(store: SiteStore, dir: string): Promise<void> {
  const clock = testClock();
  const stamp = { ...stampOf(clock), newId: () => `fill-${clock.newId()}` };
  const text = (n: number): string =>
    JSON.stringify({ title: `alarm ${n}`, description: 'x'.repeat(n % 50 === 0 ? 9_000 : 200 + (n % 90)) });
  for (let at = 0; at < EVENTS; at += 50)
    await store.events.ingest(
      Array.from({ length: 50 }, (_, n) =>
        anEvent(`k${at + n}`, { doc: text(at + n), type: `kind.${n % 7}` }),
      ),
      stamp.now,
    );
  for (let id = 1; id <= EVENTS; id += 4) await store.verdicts.write(aVerdict(id), stamp);
  for (let id = 1; id <= EVENTS; id += 20)
    await store.verdicts.correct(
      { ...aVerdict(id), id: `c${id}`, verdict: 'false_alarm', note: 'no' } as never,
      stamp,
    );
  for (let n = 0; n < 80; n += 1) {
    const made = await store.tasks.create(
      {
        tenantCode: 'north',
        type: 'disposal',
        eventId: n + 1,
        title: `task ${n}`,
        severity: 'high',
        assigneeOrg: null,
        dueAt: null,
        body: { text: 'y'.repeat(200) },
        by: 'li',
        actor: 'li',
        suppressed: false,
      },
      stamp,
    );
    if (made.kind !== 'created') throw new Error('no task was made');
    for (let step = 0; step < 3; step += 1)
      await store.tasks.move(
        {
          taskId: made.detail.task.id,
          tenantCode: null,
          to: step === 0 ? 'taken_over' : 'completed',
          by: 'li',
          note: `note ${step} ${'z'.repeat(80)}`,
          resultCode: null,
          actor: 'li',
        } as never,
        stamp,
      );
  }
  for (let n = 0; n < 40; n += 1) {
    const eventIds = [n * 3 + 1, n * 3 + 2, n * 3 + 3];
    await store.incidents.upsert(
      {
        tenantCode: 'north',
        sourceKey: `g${n}`,
        layer: 'L1',
        siteRef: 's',
        pointRef: null,
        title: null,
        eventIds,
        facts: null,
        by: 'li',
        actor: 'li',
      } as never,
      stamp,
    );
  }
  for (let n = 0; n < 60; n += 1) {
    await store.keys.add(
      {
        keyId: `cam-${n}`,
        purpose: 'node',
        tenantCode: 'north',
        subject: `gate ${n}`,
        secretRef: `file:/secrets/cam-${n}`,
        previousRef: null,
        previousUntil: null,
        createdAt: 1,
        removedAt: null,
        scopes: null,
      },
      'li',
    );
    await store.evidence.store(
      { tenantCode: 'north', eventId: n + 1, name: 'a.jpg', size: 10, sha256: 'a'.repeat(64), storedAt: 1 },
      room(1e9),
      'cam',
      stamp,
    );
  }
  for (const consumer of ['agent', 'desk', 'analysis'])
    await store.subscriptions.register(
      consumer,
      {
        tenantCode: null,
        eventTypes: null,
        minSeverity: null,
        pushUrl: null,
        secretRef: null,
        enabled: true,
      },
      0,
      stamp.now,
      'li',
    );
  await store.uplink.advance(
    {
      channel: 'events',
      hubEpoch: 'hub',
      cursor: CONFIRMED,
      cursorAt: null,
      accepted: 0,
      duplicates: 0,
      parked: [],
    },
    1,
  );
  fillBySql(path.join(dir, 'site.db'));
}

/** Rows of the agent and of evidence that goes up, in the shape in which it writes them. */
function fillBySql(file: string): void {
  const db = new Database(file);
  const insert = (table: string, row: Record<string, unknown>): void => {
    const names = Object.keys(row);
    db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...Object.values(row),
    );
  };
  db.transaction(() => {
    for (let id = 1; id <= 80; id += 1) {
      insert('agent_decisions', {
        event_id: id,
        tenant_code: 'north',
        outcome: 'task',
        rule_name: 'fire',
        rule_version: 1,
        action: 'task',
        task_id: id,
        decided_at: 5,
      });
      insert('agent_deadlines', {
        task_id: id,
        tenant_code: 'north',
        event_id: id,
        rule_name: 'fire',
        channels: '["inbox"]',
        message: 'late',
        is_test: 0,
        state: 'pending',
        escalate_at: 1_000 + id,
      });
      insert('agent_cooldowns', {
        tenant_code: 'north',
        camera: `c${id}`,
        event_type: 'kind.1',
        rule_name: 'fire',
        is_test: 0,
        until: 900,
        event_id: id,
      });
      insert('uplink_wants', {
        id: `w${id}`,
        kind: 'keep',
        tenant_code: 'north',
        event_id: id,
        event_key: `k${id - 1}`,
        name: 'a.jpg',
        offered: 0,
        asked_at: 6,
        state: 'open',
        reason: null,
        at: null,
        told: null,
      });
      insert('uplink_offers', { event_id: id, name: 'b.jpg' });
      insert('uplink_previews', { event_id: id, name: 'b.jpg' });
      insert('evidence_gone', { event_id: id, name: 'c.jpg', at: 7, told: 0 });
      insert('rules', {
        tenant_code: 'north',
        kind: 'disposition',
        name: `r${id % 9}`,
        version: id,
        body: '{"a":1}',
        by: 'li',
        created_at: 4,
      });
    }
    insert('agent_states', { name: 'agent', lease: null, leased_until: 0, steady_at: 800 });
    insert('push_states', { consumer: 'desk', failures: 0, next_at: 0, receipt_faults: 0, leased_until: 0 });
  })();
  db.close();
}

/** Rows of a table by their primary key. */
export function rowsOf(db: Database.Database, table: string): Map<string, Record<string, unknown>> {
  const keys = db
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(table);
  const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all();
  return new Map(rows.map((row) => [keys.map((key) => String(row[key])).join('|'), row]));
}

function mapped(dir: string): FilledStore {
  const file = path.join(dir, 'site.db');
  const log = framesOf(`${file}-wal`);
  const whole = openDamaged(file);
  // A reader of its own: the first one to open the files takes the log into them.
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldline-filled-'));
  for (const suffix of ['', '-wal'])
    if (fs.existsSync(`${file}${suffix}`))
      fs.copyFileSync(`${file}${suffix}`, path.join(copy, `site.db${suffix}`));
  const db = new Database(path.join(copy, 'site.db'));
  const rows: RowOnPages[] = [];
  const tables = new DamagedTables(whole, db);
  for (const { shape, page } of tables.all()) {
    if (shape.name.startsWith('sqlite_')) continue;
    const keys = db
      .prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
      .pluck()
      .all(shape.name);
    const over: number[] = [page];
    const found = readPage(whole.read(page) ?? Buffer.alloc(0), page, (number) => {
      over.push(number);
      return whole.read(number);
    });
    for (const one of found?.rows ?? []) {
      const row = Object.fromEntries(named(shape, one));
      rows.push({ table: shape.name, key: keys.map((key) => String(row[key])).join('|'), row, pages: over });
    }
  }
  if (tables.incomplete.size > 0) throw new Error(`not read whole: ${[...tables.incomplete].join(', ')}`);
  db.close();
  whole.close();
  fs.rmSync(copy, { recursive: true });
  return { dir, rows, log };
}

function framesOf(file: string): Frame[] {
  if (!fs.existsSync(file)) return [];
  const bytes = fs.readFileSync(file);
  const frames: Frame[] = [];
  let transaction = 0;
  for (
    let at = 32;
    at + 4120 <= bytes.length && bytes.subarray(at + 8, at + 16).equals(bytes.subarray(16, 24));
    at += 4120
  ) {
    const commit = bytes.readUInt32BE(at + 4) > 0;
    frames.push({ page: bytes.readUInt32BE(at), commit, transaction, newest: true });
    if (commit) transaction += 1;
  }
  frames.forEach(
    (frame, index) => (frame.newest = !frames.slice(index + 1).some(({ page }) => page === frame.page)),
  );
  return frames;
}
