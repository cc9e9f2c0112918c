import type Database from 'better-sqlite3';
import { type LibraryFile, libraryFile } from '../../../../common/uplink/library.ts';
import type { FileState, KeptClause, Library, LibraryCounts } from '../../../policy/port.ts';

/** A library as it is stored: what is no text or number is JSON or 0 and 1. */
export type LibraryRow = Omit<Library, 'whole' | 'reason'> & {
  whole: number;
  round: number;
  reason: string | null;
  synonyms: string;
};

/** A file as it is stored, its members named as on the wire. */
export type FileRow = Omit<LibraryFile, 'scheduled'> & { scheduled: boolean | number; state: FileState };

type NewFile = Omit<LibraryFile, 'scheduled'> & { tenant: string; scheduled: number };

type ClauseRow = Omit<KeptClause['document'], 'id'> &
  Omit<KeptClause['chunk'], 'id' | 'clausePath'> & { chunkId: number; docId: number; path: string | null };

const MEMBERS = Object.keys(libraryFile.shape) as (keyof LibraryFile)[];

/** As headquarters told it. */
export const fileOf = (row: FileRow): LibraryFile =>
  Object.fromEntries(
    MEMBERS.map((name) => [name, name === 'scheduled' ? Boolean(row.scheduled) : row[name]]),
  ) as LibraryFile;

export const rowOf = (tenant: string, file: LibraryFile): NewFile => ({
  ...file,
  tenant,
  scheduled: file.scheduled ? 1 : 0,
});

const LIBRARY = `seq, tenant_code AS tenantCode, hub_epoch AS hubEpoch, through, whole, round, told, digest,
  synonyms, version, state, reason, at`;
const FILE = `${MEMBERS.join(', ')}, state`;

/** Statements of `SiteLibraries`. */
export function prepareLibrary(sqlite: Database.Database) {
  return { ...prepareRows(sqlite), ...prepareFiles(sqlite), ...prepareClauses(sqlite) };
}

interface Standing {
  tenant: string;
  hubEpoch: string;
  through: number;
  whole: number;
  round: number;
  told: string | null;
  digest: string | null;
  synonyms: string;
}

function prepareRows(sqlite: Database.Database) {
  return {
    all: sqlite.prepare<[], LibraryRow>(`SELECT ${LIBRARY} FROM libraries ORDER BY seq`),
    of: sqlite.prepare<[string], LibraryRow>(`SELECT ${LIBRARY} FROM libraries WHERE tenant_code = ?`),
    begin: sqlite.prepare<[string, string, number]>(
      `INSERT INTO libraries (tenant_code, hub_epoch, through, whole, round, synonyms, state, at)
       VALUES (?, '', 0, 1, 1, ?, 'loading', ?) ON CONFLICT DO NOTHING`,
    ),
    stand: sqlite.prepare<[Standing]>(
      `UPDATE libraries SET hub_epoch = @hubEpoch, through = @through, whole = @whole, round = @round,
         told = @told, digest = @digest, synonyms = @synonyms WHERE tenant_code = @tenant`,
    ),
    again: sqlite.prepare<[string]>(
      'UPDATE libraries SET through = 0, whole = 1, round = round + 1 WHERE tenant_code = ?',
    ),
    settle: sqlite.prepare<[number, string]>(
      `UPDATE libraries SET version = told, state = 'here', reason = NULL, at = ? WHERE tenant_code = ?`,
    ),
    refuse: sqlite.prepare<[string | null, number, string]>(
      `UPDATE libraries SET state = 'refused', reason = ?, at = ? WHERE tenant_code = ?`,
    ),
    counts: sqlite.prepare<[string], LibraryCounts>(
      `SELECT count(*) FILTER (WHERE state = 'here') AS files,
         coalesce(sum(clauses) FILTER (WHERE state = 'here'), 0) AS clauses,
         count(*) FILTER (WHERE state = 'wanted') AS coming
       FROM library_files WHERE tenant_code = ?`,
    ),
    size: sqlite.prepare<[], Omit<LibraryCounts, 'coming'>>(
      `SELECT count(*) AS files, coalesce(sum(clauses), 0) AS clauses FROM library_files
       WHERE state <> 'gone'`,
    ),
  };
}

function prepareFiles(sqlite: Database.Database) {
  const members = MEMBERS.join(', ');
  const values = MEMBERS.map((name) => `@${name}`).join(', ');
  const replaced = [...MEMBERS, 'ends_at', 'state', 'round', 'change_no'];
  return {
    file: sqlite.prepare<[string, number], FileRow>(
      `SELECT ${FILE} FROM library_files WHERE tenant_code = ? AND id = ?`,
    ),
    kept: sqlite.prepare<[string], FileRow>(
      `SELECT ${FILE} FROM library_files WHERE tenant_code = ? AND state <> 'gone'`,
    ),
    before: sqlite
      .prepare<[string, number], number>(
        `SELECT id FROM library_files WHERE tenant_code = ? AND state <> 'gone' AND round < ?`,
      )
      .pluck(),
    seen: sqlite.prepare<[number, string, number]>(
      'UPDATE library_files SET round = ? WHERE tenant_code = ? AND id = ?',
    ),
    putFile: sqlite.prepare<[NewFile & { state: FileState; round: number; changeNo: number }]>(
      `INSERT INTO library_files (tenant_code, ${members}, ends_at, state, round, change_no)
       VALUES (@tenant, ${values}, @valid_until, @state, @round, @changeNo)
       ON CONFLICT (tenant_code, id) DO UPDATE SET
         ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    ),
    state: sqlite.prepare<[FileState, number, string, number]>(
      'UPDATE library_files SET state = ?, change_no = ? WHERE tenant_code = ? AND id = ?',
    ),
    nextDay: sqlite
      .prepare<[string, number], number | null>(
        `SELECT min(valid_from) FROM library_files
         WHERE tenant_code = ? AND policy_id = ? AND scheduled = 1 AND state <> 'gone'`,
      )
      .pluck(),
    versions: sqlite.prepare<[string, number], { id: number; validUntil: number; endsAt: number }>(
      `SELECT id, valid_until AS validUntil, ends_at AS endsAt FROM library_files
       WHERE tenant_code = ? AND policy_id = ? AND scheduled = 0 AND state <> 'gone'`,
    ),
    end: sqlite.prepare<[number, number, string, number]>(
      'UPDATE library_files SET ends_at = ?, change_no = ? WHERE tenant_code = ? AND id = ?',
    ),
    wanted: sqlite.prepare<[string, number], { id: number; text_no: number; after: number }>(
      `SELECT f.id, f.text_no, coalesce((SELECT max(c.seq) FROM library_clauses c
         WHERE c.tenant_code = f.tenant_code AND c.doc_id = f.id), 0) AS after
       FROM library_files f WHERE f.tenant_code = ? AND f.state = 'wanted' ORDER BY f.id LIMIT ?`,
    ),
  };
}

interface NewClause {
  tenant: string;
  docId: number;
  seq: number;
  id: number;
  path: string | null;
  page: number | null;
  text: string;
  textSha256: string;
  changeNo: number;
}

function prepareClauses(sqlite: Database.Database) {
  const ofFile = 'FROM library_clauses WHERE tenant_code = ? AND doc_id = ?';
  return {
    dropClauses: sqlite.prepare<[string, number]>(`DELETE ${ofFile}`),
    dropWanted: sqlite.prepare<[string, string]>(
      `DELETE FROM library_clauses WHERE tenant_code = ? AND doc_id IN (SELECT id FROM library_files
         WHERE tenant_code = ? AND state = 'wanted')`,
    ),
    lastSeq: sqlite.prepare<[string, number], number>(`SELECT max(seq) ${ofFile}`).pluck(),
    fingerprints: sqlite
      .prepare<[string, number], string>(`SELECT text_sha256 ${ofFile} ORDER BY seq`)
      .pluck(),
    addClause: sqlite.prepare<[NewClause]>(
      `INSERT INTO library_clauses (tenant_code, doc_id, seq, id, path, page, text, text_sha256, change_no)
       VALUES (@tenant, @docId, @seq, @id, @path, @page, @text, @textSha256, @changeNo)`,
    ),
    clauses: sqlite.prepare<[string], ClauseRow>(
      `SELECT c.id AS chunkId, c.doc_id AS docId, c.seq, c.path, c.page, c.text, c.text_sha256 AS textSha256,
         f.tenant_code AS tenantCode, f.title, f.doc_no AS docNo, f.version, f.src_system AS srcSystem,
         f.src_key AS srcKey, f.level, f.effective_date AS effectiveDate, f.expiry_date AS expiryDate,
         f.valid_from AS validFrom, f.ends_at AS endsAt
       FROM library_clauses c JOIN library_files f ON f.tenant_code = c.tenant_code AND f.id = c.doc_id
       WHERE c.id IN (SELECT value FROM json_each(?)) AND f.state = 'here'`,
    ),
  };
}
