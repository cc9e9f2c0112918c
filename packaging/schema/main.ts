// npm run schema -- site|hq NAME: writes the next numbered migration of a program, and overwrites the
// snapshot with that from which the one after it starts.
import fs from 'node:fs';
import path from 'node:path';
import { lastSnapshot, migrationFrom } from './migration.ts';
import { PROGRAMS } from './program.ts';

const root = path.resolve(import.meta.dirname, '../..');
const USAGE = 'usage: npm run schema -- site|hq NAME     NAME in small letters, digits and dashes\n';

const [which, name, ...rest] = process.argv.slice(2);
if ((which !== 'site' && which !== 'hq') || !/^[a-z0-9-]+$/.test(name ?? '') || rest.length > 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const program = PROGRAMS[which];
const folder = path.join(root, program.migrations);
const { statements, snapshot, byAuthor } = await migrationFrom(program, lastSnapshot(root, program));
if (statements.length === 0 && byAuthor.length === 0) {
  process.stdout.write('The schema and the migrations say the same: nothing to write.\n');
  process.exit(0);
}
fs.mkdirSync(folder, { recursive: true });
const number = Number(fs.readdirSync(folder).sort().at(-1)?.slice(0, 4) ?? 0) + 1;
const label = String(number).padStart(4, '0');
const file = path.join(program.migrations, `${label}-${name}.sql`);
fs.writeFileSync(path.join(root, file), `-- oldest-code: ${number}\n${statements.join('\n')}\n`);
const text = `${JSON.stringify(snapshot, null, 1)}\n`;
fs.writeFileSync(path.join(root, program.snapshot), text);
process.stdout.write(
  `${file} is written. Read it.\n` +
    `Its first line keeps programs older than it from the store: lower the number to that of the oldest\n` +
    `migration whose program can go on working with the result.\n`,
);
for (const line of byAuthor) process.stdout.write(`By hand, in this migration: ${line} in by-hand.ts.\n`);
