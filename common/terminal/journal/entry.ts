// What the journal of systemd keeps of a service, as people read it. Pure.
import * as z from 'zod/mini';
import { localTimeWithZone } from '../local-time.ts';

export interface JournalEntry {
  /** Epoch ms. */
  at: number;
  level: Level;
  message: string;
  /** What else the line says, by name. */
  fields: Readonly<Record<string, unknown>>;
}

/** In the words of the log, worst last. */
export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof LEVELS)[number];

/** Of the journal, by its priorities from 0 (emergency) to 7 (debug). */
const BY_PRIORITY: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];
/** The lowest priority that `--level` lets through. */
export const PRIORITIES: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 };

const record = z.record(z.string(), z.unknown());
/** A message that is no text comes as its bytes, one that is too long as null, several as a list. */
const exported = z.looseObject({
  __REALTIME_TIMESTAMP: z.string().check(z.regex(/^\d{1,17}$/)),
  PRIORITY: z.optional(z.string()),
  MESSAGE: z.optional(z.unknown()),
});
/** Members of a line of the log that every line has, or that stand elsewhere in what is shown. */
const OWN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg']);
/** Of the longest level. */
const COLUMN = 5;

/** @param line of `journalctl --output=json` @returns null for what is none */
export function readEntry(line: string): JournalEntry | null {
  const parsed = exported.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { __REALTIME_TIMESTAMP: micros, PRIORITY: priority, MESSAGE: raw } = parsed.data;
  const text = textOf(raw);
  const own = text.startsWith('{') ? record.safeParse(parseJson(text)) : null;
  const fields = own?.success && typeof own.data.msg === 'string' ? own.data : null;
  return {
    at: Math.floor(Number(micros) / 1000),
    level: BY_PRIORITY[Number(priority ?? 6)] ?? 'info',
    message: fields ? String(fields.msg) : text,
    fields: fields ? Object.fromEntries(Object.entries(fields).filter(([key]) => !OWN.has(key))) : {},
  };
}

function textOf(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  if (!Array.isArray(raw)) return '';
  if (raw.every((one) => typeof one === 'number')) return Buffer.from(raw).toString('utf8');
  return raw.map(textOf).join('\n');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON: the caller tells by that
  }
}

/** One entry on one line; of an error its message, and where it came from only on request. */
export function renderEntry({ at, level, message, fields }: JournalEntry): string {
  const more = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`);
  return printable([localTimeWithZone(at), level.padEnd(COLUMN), message.trimEnd(), ...more].join('  '));
}

function shown(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (isError(value)) return JSON.stringify(value.message);
  return JSON.stringify(value) ?? 'null';
}

const isError = (value: unknown): value is { message: string } =>
  typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;

/** An entry stays a line, and nothing in it moves the cursor of the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
