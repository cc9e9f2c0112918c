import fs from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { type EventDoc, readDoc } from '../../common/core/event/record.ts';

interface EventOf {
  tenant: string;
  doc: string;
}

/**
 * Rows of evidence files that were lost are made again: the files are beside the store, and each event says
 * which are its own. A file without a row would be swept away. @param dir of the evidence, which may be
 * missing @returns rows that were made
 */
export function restoreEvidence(target: Database.Database, dir: string): number {
  const eventOf = target.prepare<[number], EventOf>(
    'SELECT tenant_code AS tenant, doc FROM events WHERE id = ?',
  );
  const insert = target.prepare(
    'INSERT OR IGNORE INTO evidence_files (tenant_code, event_id, name, size, sha256, stored_at) ' +
      'VALUES (?, ?, ?, ?, ?, ?)',
  );
  let made = 0;
  for (const [eventId, folder] of eventFolders(dir)) {
    const event = eventOf.get(eventId);
    if (!event) continue;
    for (const { name, sha256 } of evidenceOf(readDoc(event))) {
      const stat = fs.statSync(path.join(folder, sha256), { throwIfNoEntry: false });
      if (stat)
        made += insert.run(event.tenant, eventId, name, stat.size, sha256, Math.round(stat.mtimeMs)).changes;
    }
  }
  return made;
}

/** A file is kept or gone. Pages of different ages may say both: then it is not told to be gone. */
export function dropGoneThatIsKept(target: Database.Database): void {
  target.exec(`DELETE FROM evidence_gone WHERE EXISTS (SELECT 1 FROM evidence_files f
    WHERE f.event_id = evidence_gone.event_id AND f.name = evidence_gone.name)`);
}

const evidenceOf = ({ evidence = [] }: EventDoc): { name: string; sha256: string }[] =>
  evidence.filter(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256));

/** Highest event id that a folder of evidence is of; 0 for none. */
export function highestEvidence(dir: string): number {
  let highest = 0;
  for (const [eventId] of eventFolders(dir)) highest = Math.max(highest, eventId);
  return highest;
}

function* eventFolders(dir: string): Generator<[eventId: number, folder: string]> {
  for (const folder of numbered(dir)) {
    for (const event of numbered(path.join(dir, folder)))
      yield [Number(event), path.join(dir, folder, event)];
  }
}

const numbered = (folder: string): string[] =>
  fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => /^\d+$/.test(name)) : [];
