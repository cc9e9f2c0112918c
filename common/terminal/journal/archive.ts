import type { Entry } from '../../archive.ts';
import { renderEntry } from './entry.ts';
import { readJournal, unitState } from './journal.ts';

const LINES = 5_000;
/** Of the journal's text in an archive, characters; the newest lines are kept. */
const MOST = 4 * 1024 * 1024;

/** What an archive for support holds of systemd: how the unit goes, and the end of its journal. */
export async function journalEntries(unit: string): Promise<Entry[]> {
  return [
    { name: 'unit.txt', text: await said(() => unitState(unit)) },
    { name: 'journal.txt', text: await said(() => endOfJournal(unit, LINES)) },
  ];
}

/** The last lines of a unit's journal, or why it could not be read. */
export const logEnd = (unit: string, lines: number): Promise<string> => said(() => endOfJournal(unit, lines));

async function endOfJournal(unit: string, last: number): Promise<string> {
  const lines: string[] = [];
  await readJournal({ unit, lines: last }, (entry) => lines.push(renderEntry(entry)));
  let [from, room] = [lines.length, MOST];
  while (from > 0 && room >= (lines[from - 1]?.length ?? 0) + 1) {
    from -= 1;
    room -= (lines[from]?.length ?? 0) + 1;
  }
  return lines.slice(from).join('\n');
}

/** A machine without systemd has an archive too; the file says what could not be read. */
async function said(read: () => Promise<string>): Promise<string> {
  try {
    return `${await read()}\n`;
  } catch (error) {
    return `not read: ${(error as Error).name} ${(error as Error).message}\n`;
  }
}
