import { setTimeout as pause } from 'node:timers/promises';
import { sayer } from '../../common/message.ts';
import { ApiError, NotRunning } from '../../common/terminal/api.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { type DocumentAnswer, parseNoteOf, readDocument } from '../policy/ingest/document.ts';
import type { HubContext } from './context.ts';
import { libraryMessages } from './library-messages.ts';

type Context = Pick<HubContext, 'api' | 'terminal' | 'language'>;

interface PendingFile {
  docId: number;
  tenantCode: string;
  title: string;
  fileName: string | null;
  contentType: string | null;
}

/** What the hub says of an original that will not come back by itself. */
const LOST = ['original_missing', 'original_damaged'];

/**
 * `ingest`: works the list of files that wait for their chunks, through the public API as any ingestion
 * program would. With `--watch` it outlives a hub that is away for a while.
 * @returns 1 when a file could not be read; its parse note says why
 */
export async function ingestFiles(
  { tenant, watch }: { tenant: string | undefined; watch: number | undefined },
  context: Context,
): Promise<number> {
  if (watch === undefined) return (await workList(tenant, context)) === 0 ? EXIT.well : EXIT.look;
  if (!(watch >= 1 && watch <= 86_400))
    throw new UsageError(sayer(libraryMessages, context.language)('badWatch'));
  let said = '';
  for (;;) {
    try {
      await workList(tenant, context, true);
      said = '';
    } catch (error) {
      if (!isPassing(error)) throw error;
      // Each message once, however long the outage lasts.
      if (said !== error.message) context.terminal.out(`${error.message}\n`);
      said = error.message;
    }
    await pause(watch * 1000);
  }
}

/** @param quiet says nothing where there was nothing to do @returns how many files could not be read */
async function workList(tenant: string | undefined, context: Context, quiet = false): Promise<number> {
  const { api, terminal, language } = context;
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
  if (!quiet || read + unread > 0)
    terminal.out(`${sayer(libraryMessages, language)('counts', { read, unread })}\n`);
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
    context.terminal.out(
      `${sayer(libraryMessages, context.language)('notWorkedOff', { name, why: error.message })}\n`,
    );
    if (isPassing(error)) throw error;
    return false;
  }
}

async function readingOf(
  { docId, tenantCode, fileName, contentType }: PendingFile,
  { api }: Context,
): Promise<DocumentAnswer> {
  const query = new URLSearchParams({ tenant_code: tenantCode, all_levels: '1' });
  try {
    return await readDocument({
      bytes: await api.download(`/api/core/kb/docs/${docId}/file?${query.toString()}`),
      fileName,
      contentType,
    });
  } catch (error) {
    if (error instanceof ApiError && LOST.includes(error.code ?? ''))
      return { unreadable: { code: 'original_lost', params: {} } };
    throw error;
  }
}

async function submit(
  { docId, tenantCode, title }: PendingFile,
  answer: DocumentAnswer,
  { api, terminal, language }: Context,
): Promise<boolean> {
  const w = sayer(libraryMessages, language);
  const target = `/api/core/kb/docs/${docId}/chunks`;
  const note = parseNoteOf(answer);
  if ('unreadable' in answer) {
    await api.call('POST', target, { tenant_code: tenantCode, parse_note: note, chunks: [] });
    terminal.out(`${w('unreadable', { name: `${docId} ${title}`, note: note ?? '' })}\n`);
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
    ...(note === null ? {} : { parse_note: note }),
  });
  const said = note === null ? '' : ` ${note}`;
  terminal.out(`${w('clauses', { name: `${docId} ${title}`, count: chunks.length, note: said })}\n`);
  return true;
}

/** Whether it may be over by itself: the hub is away, starting, or without its database or its originals. */
const isPassing = (error: unknown): error is Error =>
  error instanceof NotRunning ||
  (error instanceof ApiError &&
    (error.status >= 500 || error.status === 429) &&
    !LOST.includes(error.code ?? ''));
