import type Database from 'better-sqlite3';
import type { EventFilter } from '../../common/core/event/port.ts';
import type { EventKind, EventSource } from '../../common/core/event/schema.ts';
import type { EventGroup } from '../../common/core/stats/record.ts';
import type { VerdictValue } from '../../common/core/verdict/schema.ts';
import type { Dictionary, Word } from './dictionary.ts';

/** What lists filter by and statistics group by. */
export interface GroupKey {
  tenant: Word;
  type: Word;
  kind: Word;
  source: Word;
  verdict: VerdictValue | null;
  test: boolean;
  judged: boolean;
  judgedType: string | null;
  /** Whether its events have a time of occurrence. */
  dated: boolean;
}

type Row = Omit<GroupKey, 'test' | 'judged' | 'dated'> & { id: number; test: number; judged: number; dated: number };

const COLUMNS = 'id, tenant_code AS tenant, type, kind, source, verdict, is_test AS test, judged, judged_type AS judgedType, dated';

/** The groups of events. There are few; their numbers never change and they are never removed. */
export class BlockGroups {
  #sqlite: Database.Database;
  #words: Dictionary;
  #sql: ReturnType<typeof prepare>;

  constructor(sqlite: Database.Database, words: Dictionary) {
    this.#sqlite = sqlite;
    this.#words = words;
    this.#sql = prepare(sqlite);
  }

  find(key: GroupKey): number | null {
    return this.#sql.find.get(textOf(key)) ?? null;
  }

  /** Adds the group when it is new; to be called in a transaction. */
  ensure(key: GroupKey): number {
    const found = this.find(key);
    if (found !== null) return found;
    const { tenant, type, kind, source, verdict, test, judged, judgedType, dated } = key;
    const values = [textOf(key), tenant, type, kind, source, verdict, Number(test), Number(judged), judgedType, Number(dated)];
    return Number(this.#sql.add.run(...values).lastInsertRowid);
  }

  get(id: number): GroupKey {
    const row = this.#sql.one.get(id);
    if (!row) throw new Error(`event group ${id} is missing from the store`);
    return keyOf(row);
  }

  /** 1 at the number of each group whose events a filter takes, but for their places and times. */
  matching(filter: EventFilter): Uint8Array {
    const where = ['1'];
    const values: Word[] = [];
    const also = (condition: string, value: Word | undefined): void => {
      if (value === undefined) return;
      where.push(condition);
      values.push(value);
    };
    if (filter.tenantCode !== null) also('tenant_code = ?', this.#words.find(filter.tenantCode));
    for (const member of ['type', 'kind', 'source'] as const) {
      const text = filter[member];
      if (text !== undefined) also(`${member} = ?`, this.#words.find(text));
    }
    if (filter.verdict === 'none') where.push('verdict IS NULL');
    else also('verdict = ?', filter.verdict);
    if (!filter.includeTest) where.push('is_test = 0');
    const mask = new Uint8Array((this.#sql.last.get() ?? 0) + 1);
    const ids = this.#sqlite.prepare<Word[], number>(`SELECT id FROM block_groups WHERE ${where.join(' AND ')}`).pluck();
    for (const id of ids.all(...values)) mask[id] = 1;
    return mask;
  }

  /** Groups with a time of occurrence of one tenant, by their numbers. */
  ofTenant(tenantCode: string): Map<number, EventGroup> {
    return new Map(this.#sql.ofTenant.all(this.#words.find(tenantCode)).map((row) => [row.id, this.view(keyOf(row))]));
  }

  // Only values of these types are ever written.
  view({ source, kind, type, verdict, test, judged, judgedType }: GroupKey): EventGroup {
    const words = this.#words;
    return { source: words.decode(source) as EventSource, kind: words.decode(kind) as EventKind, type: words.decode(type), verdict, test, judged, judgedType };
  }
}

export const textOf = ({ tenant, type, kind, source, verdict, test, judged, judgedType, dated }: GroupKey): string =>
  JSON.stringify([tenant, type, kind, source, verdict, test, judged, judgedType, dated]);

const keyOf = ({ id: _id, test, judged, dated, ...rest }: Row): GroupKey => ({ ...rest, test: test === 1, judged: judged === 1, dated: dated === 1 });

function prepare(sqlite: Database.Database) {
  return {
    find: sqlite.prepare<[string], number>('SELECT id FROM block_groups WHERE key = ?').pluck(),
    one: sqlite.prepare<[number], Row>(`SELECT ${COLUMNS} FROM block_groups WHERE id = ?`),
    last: sqlite.prepare<[], number | null>('SELECT max(id) FROM block_groups').pluck(),
    ofTenant: sqlite.prepare<[Word], Row>(`SELECT ${COLUMNS} FROM block_groups WHERE tenant_code = ? AND dated = 1`),
    add: sqlite.prepare<(Word | null)[]>(
      `INSERT INTO block_groups (key, tenant_code, type, kind, source, verdict, is_test, judged, judged_type, dated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}
