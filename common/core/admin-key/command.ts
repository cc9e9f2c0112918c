import type { ApiClient } from '../../terminal/api.ts';
import { readArguments, UsageError, type Terminal } from '../../terminal/command.ts';
import { renderTable } from '../../terminal/table.ts';
import { adminKeyMessages } from './admin-key-messages.ts';

export interface AdminKeyContext {
  api: ApiClient;
  terminal: Terminal;
  /** For the usage lines. */
  program: 'fieldline-site' | 'fieldline-hq';
  language: 'en' | 'zh';
  /** As the terminal's owner reads times. */
  time: (rfc3339: string) => string;
}

interface Issued {
  name: string;
  secret: string;
}

interface KeyView {
  name: string;
  configured: boolean;
  createdAt: string;
  previousSecretUntil: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

const PATH = '/api/core/admin_keys';
const pathOf = (name: string | undefined): string => `${PATH}/${encodeURIComponent(name ?? '')}`;

/** `admin-key add|list|rotate|remove`: the named admin keys of a running program. @returns the exit code */
export async function adminKeyCommand(argv: string[], context: AdminKeyContext): Promise<number> {
  const [action, ...rest] = argv;
  switch (action) {
    case 'add':
      return add(rest, context);
    case 'list':
      return list(rest, context);
    case 'rotate':
      return rotate(rest, context);
    case 'remove':
      return remove(rest, context);
    default:
      throw new UsageError(`usage: ${context.program} admin-key add|list|rotate|remove`);
  }
}

async function add(argv: string[], { api, terminal, program, language }: AdminKeyContext): Promise<number> {
  const { positionals } = readArguments(argv, {}, { min: 1, max: 1, usage: `${program} admin-key add NAME` });
  const key = await api.call<Issued>('POST', PATH, { name: positionals[0] });
  terminal.out(adminKeyMessages[language].made(key.name, key.secret));
  return 0;
}

async function list(
  argv: string[],
  { api, terminal, program, language, time }: AdminKeyContext,
): Promise<number> {
  readArguments(argv, {}, { min: 0, max: 0, usage: `${program} admin-key list` });
  const w = adminKeyMessages[language];
  const { items } = await api.call<{ items: KeyView[] }>('GET', PATH);
  const timeOr = (at: string | null, none: string): string => (at === null ? none : time(at));
  const rows = items.map((key) => [
    key.name,
    key.configured ? w.configured : time(key.createdAt),
    timeOr(key.lastUsedAt, w.never),
    key.lastUsedFrom ?? '-',
    timeOr(key.previousSecretUntil, '-'),
  ]);
  terminal.out(rows.length === 0 ? `${w.none}\n` : renderTable(w.head, rows));
  return 0;
}

async function rotate(
  argv: string[],
  { api, terminal, program, language }: AdminKeyContext,
): Promise<number> {
  const w = adminKeyMessages[language];
  const usage = `${program} admin-key rotate NAME [--overlap-hours H]`;
  const { values, positionals } = readArguments(
    argv,
    { 'overlap-hours': { type: 'string' } },
    { min: 1, max: 1, usage },
  );
  const hours = values['overlap-hours'] === undefined ? undefined : Number(values['overlap-hours']);
  if (hours !== undefined && !Number.isFinite(hours)) throw new UsageError(`${w.noHours}\nusage: ${usage}`);
  const key = await api.call<Issued>(
    'POST',
    `${pathOf(positionals[0])}/rotate`,
    hours === undefined ? {} : { overlap_hours: hours },
  );
  terminal.out(`${w.made(key.name, key.secret)}\n${w.overlap(hours ?? 24)}\n`);
  return 0;
}

async function remove(
  argv: string[],
  { api, terminal, program, language }: AdminKeyContext,
): Promise<number> {
  const { positionals } = readArguments(
    argv,
    {},
    { min: 1, max: 1, usage: `${program} admin-key remove NAME` },
  );
  await api.call('DELETE', pathOf(positionals[0]));
  terminal.out(`${adminKeyMessages[language].removed(positionals[0] ?? '')}\n`);
  return 0;
}
