import { setTimeout as pause } from 'node:timers/promises';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { ApiError, NotRunning, type ApiClient } from '../../common/terminal/api.ts';
import { readApart, type ReadAnswer } from '../policy/ingest/reader.ts';

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

/** What the hub says of an original that will not come back by itself. */
const LOST = ['original_missing', 'original_damaged'];

/**
 * `ingest`: works the list of files that wait for their chunks, through the public API as any ingestion
 * program would. With `--watch` it outlives a hub that is away for a while.
 * @returns 1 when a file could not be read; its parse note says why
 */
export async function ingestCommand(argv: string[], context: Context): Promise<number> {
  const { values } = readArguments(
    argv,
    { tenant: { type: 'string' }, watch: { type: 'string' } },
    { min: 0, max: 0, usage: USAGE },
  );
  const watch = values.watch === undefined ? null : Number(values.watch);
  if (watch !== null && !(watch >= 1 && watch <= 86_400))
    throw new UsageError(`--watch must be a number of seconds, 1 to 86400\nusage: ${USAGE}`);
  if (watch === null) return (await workList(values.tenant, context)) === 0 ? 0 : 1;
  let said = '';
  for (;;) {
    try {
      await workList(values.tenant, context, true);
      said = '';
    } catch (error) {
      if (!isPassing(error)) throw error;
      // Once, however long it lasts.
      if (said !== error.message) context.terminal.out(`${error.message}\n`);
      said = error.message;
    }
    await pause(watch * 1000);
  }
}

/** @param quiet says nothing where there was nothing to do @returns how many files could not be read */
async function workList(tenant: string | undefined, context: Context, quiet = false): Promise<number> {
  const { api, terminal } = context;
  const query = new URLSearchParams({ limit: '1', ...(tenant === undefined ? {} : { tenant_code: tenant }) });
  let [read, unread] = [0, 0];
  for (;;) {
    // One at a time: a file that is taken and not worked off comes back after 30 minutes only.
    const {
      items: [file],
    } = await api.call<{ items: PendingFile[] }>('GET', `/api/core/kb/docs/pending?${query.toString()}`);
    if (!file) break;
    if (await ingest(file, context)) read += 1;
    else unread += 1;
  }
  if (!quiet || read + unread > 0) terminal.out(`${read} files read, ${unread} could not be read.\n`);
  return unread;
}

/**
 * A file that the hub refuses is one file; what is wrong with the hub itself is thrown. @returns whether it
 * could be read
 */
async function ingest(file: PendingFile, context: Context): Promise<boolean> {
  const name = `${file.docId} ${file.title}`;
  try {
    return await submit(file, await readingOf(file, context), context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.terminal.out(`${name}: not worked off: ${error.message}\n`);
    if (isPassing(error)) throw error;
    return false;
  }
}

async function readingOf(
  { docId, tenantCode, fileName, contentType }: PendingFile,
  { api }: Context,
): Promise<ReadAnswer> {
  const query = new URLSearchParams({ tenant_code: tenantCode, all_levels: '1' });
  try {
    return await readApart({
      bytes: await api.download(`/api/core/kb/docs/${docId}/file?${query.toString()}`),
      fileName,
      contentType,
    });
  } catch (error) {
    if (error instanceof ApiError && LOST.includes(error.code ?? ''))
      return { unreadable: error.message.replace(/\.$/, '') };
    throw error;
  }
}

async function submit(
  { docId, tenantCode, title }: PendingFile,
  answer: ReadAnswer,
  { api, terminal }: Context,
): Promise<boolean> {
  const target = `/api/core/kb/docs/${docId}/chunks`;
  if ('unreadable' in answer) {
    const note = `The file could not be read: ${answer.unreadable}.`;
    await api.call('POST', target, { tenant_code: tenantCode, parse_note: note, chunks: [] });
    terminal.out(`${docId} ${title}: ${note}\n`);
    return false;
  }
  const chunks = answer.clauses.map(({ clausePath, page, text }) => ({
    clause_path: clausePath,
    page,
    text,
  }));
  await api.call('POST', target, {
    tenant_code: tenantCode,
    chunks,
    ...(answer.note === null ? {} : { parse_note: answer.note }),
  });
  terminal.out(
    `${docId} ${title}: ${chunks.length} clauses.${answer.note === null ? '' : ` ${answer.note}`}\n`,
  );
  return true;
}

/** Whether it may be over by itself: the hub is away, starting, or without its database or its originals. */
const isPassing = (error: unknown): error is Error =>
  error instanceof NotRunning ||
  (error instanceof ApiError &&
    (error.status >= 500 || error.status === 429) &&
    !LOST.includes(error.code ?? ''));
