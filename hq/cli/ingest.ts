import { setTimeout as pause } from 'node:timers/promises';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import type { ApiClient } from '../../common/terminal/api.ts';
import { readApart } from '../policy/ingest/reader.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
}

interface PendingFile {
  docId: number;
  tenantCode: string;
  title: string;
  fileName: string | null;
  contentType: string | null;
}

const USAGE = 'fieldline-hq ingest [--tenant T] [--watch SECONDS]';

/**
 * `ingest`: works the list of files that wait for their chunks, through the public API as any ingestion program would.
 * @returns 1 when a file could not be read; its parse note says why
 */
export async function ingestCommand(argv: string[], context: Context): Promise<number> {
  const { values } = readArguments(argv, { tenant: { type: 'string' }, watch: { type: 'string' } }, { min: 0, max: 0, usage: USAGE });
  const watch = values.watch === undefined ? null : Number(values.watch);
  if (watch !== null && !(watch >= 1 && watch <= 86_400)) throw new UsageError(`--watch must be a number of seconds, 1 to 86400\nusage: ${USAGE}`);
  let unread = 0;
  for (;;) {
    unread += await workList(values.tenant, context);
    if (watch === null) return unread === 0 ? 0 : 1;
    await pause(watch * 1000);
  }
}

/** @returns how many files could not be read */
async function workList(tenant: string | undefined, context: Context): Promise<number> {
  const { api, terminal } = context;
  const query = new URLSearchParams({ limit: '1', ...(tenant === undefined ? {} : { tenant_code: tenant }) });
  let [read, unread] = [0, 0];
  for (;;) {
    // One at a time: a file that is taken and not worked off comes back after 30 minutes only.
    const { items: [file] } = await api.call<{ items: PendingFile[] }>('GET', `/api/core/kb/docs/pending?${query.toString()}`);
    if (!file) break;
    if (await ingest(file, context)) read += 1;
    else unread += 1;
  }
  terminal.out(`${read} files read, ${unread} could not be read.\n`);
  return unread;
}

/** @returns whether it could be read */
async function ingest(file: PendingFile, { api, terminal }: Context): Promise<boolean> {
  const { docId, tenantCode, fileName, contentType } = file;
  const query = new URLSearchParams({ tenant_code: tenantCode, all_levels: '1' });
  const bytes = await api.download(`/api/core/kb/docs/${docId}/file?${query.toString()}`);
  const answer = await readApart({ bytes, fileName, contentType });
  const name = `${docId} ${file.title}`;
  if ('unreadable' in answer) {
    const note = `The file could not be read: ${answer.unreadable}.`;
    await api.call('POST', `/api/core/kb/docs/${docId}/chunks`, { tenant_code: tenantCode, parse_note: note, chunks: [] });
    terminal.out(`${name}: ${note}\n`);
    return false;
  }
  const chunks = answer.clauses.map(({ clausePath, page, text }) => ({ clause_path: clausePath, page, text }));
  await api.call('POST', `/api/core/kb/docs/${docId}/chunks`, { tenant_code: tenantCode, chunks });
  terminal.out(`${name}: ${chunks.length} clauses\n`);
  return true;
}
