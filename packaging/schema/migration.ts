// The migration that leads from the last snapshot of a program's tables to its schema of today.
import fs from 'node:fs';
import path from 'node:path';
import type { ByHand, SchemaProgram, Snapshot } from './program.ts';

const WIDTH = 110;
const BREAKS = /(?<=[,(])(?= ?["`])|(?= (?:USING|WHERE|REFERENCES|INCREMENT|CACHE|SELECT|FROM) )/;

export interface Migration {
  statements: string[];
  snapshot: Snapshot;
  /** What was changed or removed in `by-hand.ts`: its author writes what brings a database over. */
  byAuthor: string[];
}

/** The snapshot of the newest migration; null when there is none yet. */
export function lastSnapshot(root: string, program: SchemaProgram): Snapshot | null {
  const file = path.join(root, program.snapshot);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Snapshot) : null;
}

/** The tables of today. */
export async function snapshotOf(program: SchemaProgram): Promise<Snapshot> {
  const { options, statements } = program.byHand;
  return { tables: await program.describe(), byHand: { options, statements } };
}

/** What leads from one snapshot to the schema of today; from an empty database when `before` is null. */
export async function migrationFrom(program: SchemaProgram, before: Snapshot | null): Promise<Migration> {
  const snapshot = await snapshotOf(program);
  const made = await program.difference(before?.tables ?? null, snapshot.tables);
  const known: ByHand = before?.byHand ?? { options: {}, statements: {} };
  const fresh = Object.entries(program.byHand.statements).filter(([name]) => !(name in known.statements));
  return {
    statements: [
      // SQLite ignores this pragma inside a transaction, such as a migration; a site has no foreign keys.
      ...made
        .filter((statement) => !statement.startsWith('PRAGMA foreign_keys'))
        .map((statement) => withOptions(statement, program.byHand.options)),
      ...fresh.map(([, statement]) => `${statement};`),
    ].map(wrapped),
    snapshot,
    byAuthor: [
      ...changed('statement', known.statements, program.byHand.statements),
      ...changed('option of table', known.options, program.byHand.options),
    ],
  };
}

/** A table that drizzle-kit makes anew, to take the place of an old one, is called `__new_` and its name. */
function withOptions(statement: string, options: ByHand['options']): string {
  const text = statement.trim().replaceAll('"public".', '');
  const table = /^CREATE TABLE [`"](?:__new_)?(\w+)[`"]/.exec(text)?.[1];
  const option = table === undefined ? undefined : options[table];
  return option === undefined ? text : text.replace(/\);$/, `) ${option};`);
}

function changed(what: string, before: Readonly<Record<string, string>>, after: typeof before): string[] {
  return Object.keys(before)
    .filter((name) => after[name] !== before[name])
    .map((name) => `${what} ${name} was ${name in after ? 'changed' : 'removed'}`);
}

/** Long lines of what drizzle-kit made are broken after a comma or before a keyword. */
function wrapped(statement: string): string {
  return statement
    .split('\n')
    .map((line) => {
      if (line.length <= WIDTH) return line;
      const lines: string[] = [];
      let current = '';
      for (const part of line.split(BREAKS)) {
        if (current !== '' && current.length + part.length > WIDTH) {
          lines.push(current);
          current = `\t\t${part.trimStart()}`;
        } else current += part;
      }
      return [...lines, current].join('\n');
    })
    .join('\n');
}
