import Database from 'better-sqlite3';

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt: string | null;
  pk: number;
}

/** Larger than any id that is given out, and different in every column that must not repeat. */
const TRIAL_NUMBER = 2 ** 52;

/**
 * Tries a new row in every table, and takes it back: a store that was put together from pieces must be able
 * to go on. A table that counts its ids is tried with the one that comes next, and with the rows that such a
 * row brings along.
 * @returns what SQLite says, by table; empty when every one takes it
 */
export function tablesWithoutRoom(db: Database.Database): Record<string, string> {
  const said: Record<string, string> = {};
  const names = db
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE " +
        "'sqlite_%' AND name <> 'schema_version'",
    )
    .pluck()
    .all();
  db.exec('SAVEPOINT trial');
  try {
    for (const name of names) {
      const refusal = refusalOf(db, name);
      if (refusal !== null) said[name] = refusal;
    }
  } finally {
    db.exec('ROLLBACK TO trial; RELEASE trial');
  }
  return said;
}

/** Tables whose rows get their number from a counter, and what is written with the next one. */
const NEXT: Readonly<Record<string, { counter: string; column: string }>> = {
  events: { counter: "SELECT value FROM meta WHERE key = 'last_event_id'", column: 'id' },
  verdicts: { counter: "SELECT value FROM meta WHERE key = 'last_event_id'", column: 'event_id' },
  agent_decisions: { counter: "SELECT value FROM meta WHERE key = 'last_event_id'", column: 'event_id' },
  evidence_files: { counter: "SELECT value FROM meta WHERE key = 'last_event_id'", column: 'event_id' },
  forgotten_keys: { counter: "SELECT value FROM meta WHERE key = 'last_event_id'", column: 'event_id' },
  verdict_changes: { counter: "SELECT value FROM meta WHERE key = 'last_change_no'", column: 'change_no' },
  corrections: { counter: "SELECT value FROM meta WHERE key = 'last_change_no'", column: 'seq' },
  notifications: { counter: "SELECT value FROM meta WHERE key = 'last_notification_seq'", column: 'seq' },
  tasks: { counter: "SELECT seq FROM sqlite_sequence WHERE name = 'tasks'", column: 'id' },
  task_entries: { counter: "SELECT seq FROM sqlite_sequence WHERE name = 'tasks'", column: 'task_id' },
  agent_deadlines: { counter: "SELECT seq FROM sqlite_sequence WHERE name = 'tasks'", column: 'task_id' },
  incidents: { counter: "SELECT seq FROM sqlite_sequence WHERE name = 'incidents'", column: 'id' },
  incident_members: {
    counter: "SELECT seq FROM sqlite_sequence WHERE name = 'incidents'",
    column: 'incident_id',
  },
};
/** Numbers of entries begin here: the next task must have none yet. */
const FIRST_ENTRY = 1;

function refusalOf(db: Database.Database, table: string): string | null {
  try {
    const columns = db
      .prepare<[string], Column>(
        'SELECT name, type, "notnull", dflt_value AS dflt, pk FROM pragma_table_info(?)',
      )
      .all(table)
      .filter(({ notnull, dflt, pk }) => (notnull === 1 && dflt === null) || pk > 0);
    const values = columns.map((column) => valueFor(db, table, column));
    db.prepare(
      `INSERT INTO "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) VALUES ` +
        `(${columns.map(() => '?').join(', ')})`,
    ).run(...values);
    return null;
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT')) throw error;
    return error.message;
  }
}

function valueFor(db: Database.Database, table: string, { name, type }: Column): string | number | Buffer {
  const next = NEXT[table];
  if (next?.column === name)
    return Number(db.prepare<[], string | number>(next.counter).pluck().get() ?? 0) + 1;
  if (table === 'task_entries' && name === 'seq') return FIRST_ENTRY;
  return type === 'TEXT' ? '\u0001trial' : type === 'BLOB' ? Buffer.alloc(0) : TRIAL_NUMBER;
}
