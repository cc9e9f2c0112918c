import type Database from 'better-sqlite3';
import {
  type Bucket,
  type CameraActivity,
  type HistoryPort,
  MOST_CAMERAS_OF_NODE,
  type NodeActivity,
} from '../../status/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { Meta } from '../engine/meta.ts';
import type { SiteEvents } from './event.ts';

/** Events that one transaction counts. */
const STEP = 5_000;

/**
 * Intake and backlog over time, and when each node was last heard; written once in five minutes, not at
 * intake.
 */
export class SiteHistory implements HistoryPort {
  #group: GroupCommit;
  #meta: Meta;
  #events: SiteEvents;
  #sql: ReturnType<typeof prepare>;

  constructor(group: GroupCommit, meta: Meta, events: SiteEvents) {
    this.#group = group;
    this.#meta = meta;
    this.#events = events;
    this.#sql = prepare(group.sqlite);
  }

  async note(bucket: Omit<Bucket, 'received'>, keepSince: number): Promise<void> {
    for (;;) {
      const more = await this.#group.write(() => this.#note(bucket, keepSince));
      if (!more) return;
    }
  }

  #note({ at, backlog, room }: Omit<Bucket, 'received'>, keepSince: number): boolean {
    const from = this.#meta.number('history_upto');
    const to = Math.min(from + STEP, this.#events.highWaterMark);
    const fresh = this.#activity(from, to);
    for (const node of fresh) this.#sql.heard.run(node.keyId, node.lastAt, node.events);
    for (const one of this.#sql.cameraActivity.all(from, to))
      this.#sql.cameraHeard.run(one.keyId, one.cameraRef, one.lastAt, one.events);
    this.#sql.dropCameras.run(MOST_CAMERAS_OF_NODE);
    // Events from before the first count are no intake of these five minutes.
    const received =
      from === 0 && this.#events.highWaterMark > STEP ? 0 : fresh.reduce((sum, node) => sum + node.events, 0);
    this.#sql.add.run(at, received, backlog, room);
    this.#sql.drop.run(keepSince);
    if (to > from) this.#meta.set('history_upto', to);
    return to < this.#events.highWaterMark;
  }

  since(at: number): Bucket[] {
    return this.#sql.since.all(at);
  }

  nodes(): NodeActivity[] {
    const heard = new Map(this.#sql.nodes.all().map((node) => [node.keyId, node]));
    const from = this.#meta.number('history_upto');
    for (const node of this.#activity(from, Math.min(from + STEP, this.#events.highWaterMark))) {
      const prior = heard.get(node.keyId);
      heard.set(node.keyId, { ...node, events: node.events + (prior?.events ?? 0) });
    }
    return [...heard.values()];
  }

  cameras(): CameraActivity[] {
    const from = this.#meta.number('history_upto');
    const to = Math.min(from + STEP, this.#events.highWaterMark);
    return this.#sql.cameras.all(from, to, MOST_CAMERAS_OF_NODE);
  }

  #activity(from: number, to: number): NodeActivity[] {
    return this.#sql.activity.all(from, to);
  }
}

/** What events beyond an id, and up to another, say of the cameras that they name. */
const CAMERA_ACTIVITY = `SELECT node_key AS keyId, json_extract(doc, '$.cameraRef') AS cameraRef,
    max(received_at) AS lastAt, count(*) AS events FROM events
  WHERE id > ? AND id <= ? AND node_key IS NOT NULL AND json_extract(doc, '$.cameraRef') IS NOT NULL
  GROUP BY 1, 2`;

function prepare(sqlite: Database.Database) {
  return {
    activity: sqlite.prepare<[number, number], NodeActivity>(
      `SELECT node_key AS keyId, max(received_at) AS lastAt, count(*) AS events FROM events
       WHERE id > ? AND id <= ? AND node_key IS NOT NULL GROUP BY node_key`,
    ),
    heard: sqlite.prepare<[string, number, number]>(
      `INSERT INTO node_activity (key_id, last_at, events) VALUES (?, ?, ?)
       ON CONFLICT (key_id) DO UPDATE SET last_at = max(last_at, excluded.last_at), events = events +
         excluded.events`,
    ),
    cameraActivity: sqlite.prepare<[number, number], CameraActivity>(CAMERA_ACTIVITY),
    cameraHeard: sqlite.prepare<[string, string, number, number]>(
      `INSERT INTO camera_activity (key_id, camera_ref, last_at, events) VALUES (?, ?, ?, ?)
       ON CONFLICT (key_id, camera_ref) DO UPDATE SET last_at = max(last_at, excluded.last_at),
         events = events + excluded.events`,
    ),
    dropCameras: sqlite.prepare<[number]>(
      `DELETE FROM camera_activity WHERE (key_id, camera_ref) IN (SELECT key_id, camera_ref FROM
         (SELECT key_id, camera_ref, row_number() OVER (PARTITION BY key_id ORDER BY last_at DESC) AS n
          FROM camera_activity) WHERE n > ?)`,
    ),
    cameras: sqlite.prepare<[number, number, number], CameraActivity>(
      `SELECT keyId, cameraRef, lastAt, events FROM (SELECT keyId, cameraRef, max(lastAt) AS lastAt,
         sum(events) AS events, row_number() OVER (PARTITION BY keyId ORDER BY max(lastAt) DESC) AS n
       FROM (SELECT key_id AS keyId, camera_ref AS cameraRef, last_at AS lastAt, events FROM camera_activity
         UNION ALL ${CAMERA_ACTIVITY}) GROUP BY keyId, cameraRef) WHERE n <= ? ORDER BY lastAt DESC`,
    ),
    nodes: sqlite.prepare<[], NodeActivity>(
      'SELECT key_id AS keyId, last_at AS lastAt, events FROM node_activity',
    ),
    add: sqlite.prepare<[number, number, number, number | null]>(
      `INSERT INTO history (at, received, backlog, room) VALUES (?, ?, ?, ?)
       ON CONFLICT (at) DO UPDATE SET received = received + excluded.received, backlog = excluded.backlog,
         room = excluded.room`,
    ),
    drop: sqlite.prepare<[number]>('DELETE FROM history WHERE at < ?'),
    since: sqlite.prepare<[number], Bucket>(
      'SELECT at, received, backlog, room FROM history WHERE at >= ? ORDER BY at',
    ),
  };
}
