// What the disk and SQLite do by themselves: the floors of everything durable.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { serveJobs } from './jobs.ts';
import { eventText } from './requests.ts';

export interface DiskJob {
  kind: 'sync' | 'extend' | 'extend-apart' | 'commit' | 'synced-commit';
  dir: string;
  forMs: number;
}

export interface DiskResult {
  /** Syncs or commits a second. */
  perSecond: number;
  /** 99th percentile, milliseconds. */
  p99: number;
}

const PAGE = Buffer.alloc(4096, 0x5a);
const REGION_PAGES = 1024;
export const ROWS_A_COMMIT = 64;

/** Runs `step` again and again. */
function repeat(forMs: number, step: (index: number) => void): DiskResult {
  const times: number[] = [];
  const started = performance.now();
  let now = started;
  while (now < started + forMs) {
    step(times.length);
    const after = performance.now();
    times.push(after - now);
    now = after;
  }
  const p99 = [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { perSecond: (times.length * 1000) / (now - started), p99 };
}

/**
 * About what one request costs the processor between two syncs; some disks answer an idle caller several
 * times slower.
 */
const APART_MS = 0.1;

function work(forMs: number): void {
  for (const end = performance.now() + forMs; performance.now() < end;);
}

/** One 4 KiB write and one fdatasync, over a file that is already there or one that grows. */
function syncs(job: DiskJob): DiskResult {
  const fd = fs.openSync(path.join(job.dir, `${job.kind}.bin`), 'w');
  try {
    if (job.kind === 'sync') {
      for (let page = 0; page < REGION_PAGES; page += 1)
        fs.writeSync(fd, PAGE, 0, PAGE.length, page * PAGE.length);
      fs.fsyncSync(fd);
    }
    return repeat(job.forMs, (index) => {
      const page = job.kind === 'sync' ? index % REGION_PAGES : index;
      fs.writeSync(fd, PAGE, 0, PAGE.length, page * PAGE.length);
      fs.fdatasyncSync(fd);
      if (job.kind === 'extend-apart') work(APART_MS);
    });
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * One transaction of ROWS_A_COMMIT rows; with a sync of the log after each, or left to SQLite's checkpoints.
 */
function commits(job: DiskJob): DiskResult {
  const file = path.join(job.dir, `${job.kind}.db`);
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(
    'CREATE TABLE events (id INTEGER PRIMARY KEY, camera TEXT NOT NULL, key TEXT NOT NULL, at INTEGER ' +
      'NOT NULL, doc TEXT NOT NULL) STRICT',
  );
  const insert = db.prepare('INSERT INTO events (camera, key, at, doc) VALUES (?, ?, ?, ?)');
  const doc = eventText('cam-000', 'cam-000-00000001', 0).slice(0, 480);
  const fill = db.transaction((from: number) => {
    for (let row = 0; row < ROWS_A_COMMIT; row += 1)
      insert.run('cam-000', `cam-000-${String(from + row).padStart(8, '0')}`, from, doc);
  });
  fill.immediate(0);
  const log = fs.openSync(`${file}-wal`, 'r+');
  try {
    return repeat(job.forMs, (index) => {
      fill.immediate((index + 1) * ROWS_A_COMMIT);
      if (job.kind === 'synced-commit') fs.fdatasyncSync(log);
    });
  } finally {
    fs.closeSync(log);
    db.close();
  }
}

serveJobs((job: DiskJob) =>
  job.kind === 'commit' || job.kind === 'synced-commit' ? commits(job) : syncs(job),
);
