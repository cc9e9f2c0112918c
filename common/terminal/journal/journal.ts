import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type JournalEntry, type Level, PRIORITIES, readEntry } from './entry.ts';

/** Which lines of a service are asked for. */
export interface JournalQuestion {
  /** As systemd has it: `fieldline-site.service`. */
  unit: string;
  /** The last so many; left out: all. */
  lines?: number | undefined;
  /** As journalctl takes it: `-1h`, `yesterday`, `2026-11-21 08:00`. */
  since?: string | undefined;
  /** This level and worse. */
  level?: Level | undefined;
  /** Also what comes from now on, until the process is interrupted. */
  follow?: boolean;
}

/** There is no program `journalctl`. */
export class NoJournal extends Error {
  constructor(program: string) {
    super(`there is no ${program} on this machine`);
    this.name = 'NoJournal';
  }
}

/** Longest text of a failure that is told. */
const SAID = 500;
const STATE_MS = 5_000;
/** What of a unit tells how it goes, and nothing of what it was given. */
const STATE =
  'Id,LoadState,ActiveState,SubState,Result,ExecMainStatus,ExecMainCode,NRestarts,StateChangeTimestamp,' +
  'ActiveEnterTimestamp,InactiveEnterTimestamp,MemoryCurrent,MemoryPeak,CPUUsageNSec,TasksCurrent,' +
  'StatusText,UnitFileState,FragmentPath,DropInPaths,WatchdogTimestamp';

/**
 * Hands entries of the journal over one by one, oldest first.
 * @throws NoJournal; Error with what journalctl said when it could not read
 */
export async function readJournal(
  { unit, lines, since, level, follow = false }: JournalQuestion,
  take: (entry: JournalEntry) => void,
): Promise<void> {
  const args = [`--unit=${unit}`, '--output=json', '--no-pager', '--quiet'];
  if (lines !== undefined) args.push(`--lines=${lines}`);
  if (since !== undefined) args.push(`--since=${since}`);
  if (level !== undefined) args.push(`--priority=${PRIORITIES[level]}`);
  if (follow) args.push('--follow');
  await run('journalctl', args, (line) => {
    const entry = readEntry(line);
    if (entry) take(entry);
  });
}

/** How systemd says that a unit goes, a property a line. @throws NoJournal, Error as above */
export async function unitState(unit: string): Promise<string> {
  const lines: string[] = [];
  await run(
    'systemctl',
    ['show', unit, `--property=${STATE}`, '--no-pager'],
    (line) => lines.push(line),
    STATE_MS,
  );
  return lines.join('\n');
}

function run(
  program: string,
  args: readonly string[],
  take: (line: string) => void,
  timeout?: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, SAID)));
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', take);
    const read = new Promise((ended) => lines.once('close', ended));
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new NoJournal(program) : error),
    );
    child.once('exit', (code, signal) => {
      void read.then(() =>
        code === 0 || signal === 'SIGINT'
          ? resolve()
          : reject(new Error(said.trim() || `${program} ended with ${code ?? signal}`)),
      );
    });
  });
}
