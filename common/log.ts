import { fstatSync } from 'node:fs';
import pino from 'pino';
import { environment } from './config.ts';

export type Logger = pino.Logger;

const SECRET_PATHS = [
  'secret',
  'adminKey',
  'password',
  '*.secret',
  '*.password',
  'headers.authorization',
  'headers["x-admin-key"]',
  'headers["x-core-signature"]',
  'headers.cookie',
];
const STDERR = 2;

/** One JSON line a record on standard error; secrets are censored by field name. */
export function createLogger(name: string, level: string): Logger {
  const lines = pino.destination({ fd: STDERR, sync: true });
  return pino(
    {
      name,
      level,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    goesToJournal(environment.JOURNAL_STREAM) ? withPriority(lines) : lines,
  );
}

/**
 * Whether standard error is a stream of the journal. @param stream device and inode of it, as systemd.exec(5)
 * names it; a child that writes elsewhere may have inherited it
 */
function goesToJournal(stream: string | undefined): boolean {
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(STDERR);
  return stream === `${dev}:${ino}`;
}

/** Before each line its priority as sd-daemon(3) has it, by which `journalctl -p warning` finds lines. */
export function withPriority(lines: { write(line: string): unknown }): pino.DestinationStream {
  const into = {
    // The logger leaves the level of each line there for a stream that asks for it.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write: (line: string) => void lines.write(`<${priorityOf(into.lastLevel)}>${line}`),
  };
  return into;
}

/** A plain text for standard error, as an error of each of its lines where the journal reads it. */
export const asError = (text: string): string =>
  goesToJournal(environment.JOURNAL_STREAM) ? text.replaceAll(/^(?=.)/gm, `<${priorityOf(50)}>`) : text;

/** The journal's priority of a level of the log: 2 critical, 3 error, 4 warning, 6 information, 7 debug. */
function priorityOf(level: number): number {
  if (level >= 60) return 2;
  if (level >= 50) return 3;
  if (level >= 40) return 4;
  return level >= 30 ? 6 : 7;
}

export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}
