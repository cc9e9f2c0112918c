import * as z from 'zod/mini';
import { tenantCode } from '../../../common/core/event/schema.ts';
import { pagedList, viewPage } from '../../../common/cursor.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { AppError, conflict, notFound } from '../../../common/http/error.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { type Message, translate } from '../../../common/message.ts';
import { formatTime } from '../../../common/time.ts';
import { ACCESS, docParams, TAG } from '../document/access.ts';
import { ingestMessages } from '../ingest/ingest-messages.ts';
import type { Origins } from '../origin.ts';
import { shownState } from '../record.ts';
import { cursor, limit } from '../schema.ts';
import { type ReadingOfDocument, type ReadingPort, readingStages, readingStates } from './port.ts';
import type { PolicyReader } from './reader.ts';

const permission = 'policy.manage';
const READINGS = pagedList('kb-readings', ['number']);

const noteView = z
  .object({ message: z.string(), messageZh: z.string() })
  .register(described, { id: 'PolicyReadingNote' });
const readingView = z
  .object({
    docId: z.int(),
    tenantCode: z.string(),
    title: z.string(),
    fileName: z.nullable(z.string()),
    readingState: z.enum(readingStates),
    readingStage: z.nullable(z.enum(readingStages)),
    atPage: z.nullable(z.int()),
    ofPages: z.nullable(z.int()),
    attempts: z.int(),
    notes: z.array(noteView),
    changedAt: z.string(),
  })
  .register(described, { id: 'PolicyReading' });
const readingsQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  doc_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  limit: limit(50, 200),
  cursor,
});
const askInput = z
  .strictObject({ tenant_code: z.optional(tenantCode) })
  .register(described, { id: 'PolicyReadingRequest' });

/** How headquarters fares with reading files into clauses. */
export function readingRoutes(
  readings: ReadingPort,
  origins: Origins,
  reader: Pick<PolicyReader, 'ask'>,
): Route[] {
  return [listRoute(readings, origins), askRoute(reader, origins)];
}

function listRoute(readings: ReadingPort, origins: Origins): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/readings',
    tag: TAG,
    access: ACCESS,
    permission,
    query: readingsQuery,
    summary: 'Files that wait to be read into clauses, that are being read, and that could not be read',
    description:
      'Headquarters reads uploaded files by itself, one at a time (`CORE_POLICY_READING`), each in a ' +
      'process of its own with bounds on time and memory; another program may take them from the ' +
      'pending list. `atPage` of `ofPages` is told while it reads. A file that ends its readers is begun ' +
      'three times and then `failed`. With `doc_id` it is the reading of that file, also when it is ' +
      '`read`, whose `notes` say what a reviewer must know.',
    replies: { 200: { description: 'A page of readings', schema: pageOf(readingView) } },
    errors: { 403: 'tenant_not_allowed' },
    handle: async ({ actor, query }) => {
      const of = { tenantCode: origins.tenant(actor, query.tenant_code), docId: query.doc_id ?? null };
      const before = READINGS.positionOf(query.cursor)?.[0] ?? null;
      const rows = await readings.list(of, before, query.limit + 1);
      return {
        body: viewPage(
          READINGS.page(rows, query.limit, ({ document }) => [document.id]),
          viewOf,
        ),
      };
    },
  });
}

function askRoute(reader: Pick<PolicyReader, 'ask'>, origins: Origins): Route {
  return route({
    method: 'POST',
    path: '/api/core/kb/docs/{doc_id}/read',
    tag: TAG,
    access: ACCESS,
    permission,
    params: docParams,
    body: askInput,
    summary: 'Have a file read into clauses now, or once more while it is in review',
    description:
      'As after character recognition was installed, or a file could not be read. What is read replaces ' +
      'its clauses; one that is being read goes on.',
    replies: { 200: { description: 'How it stands', schema: readingView } },
    errors: { 403: 'tenant_not_allowed', 404: 'not_found', 409: 'chunks_closed, original_pending' },
    handle: async (call) => {
      const docId = call.params.doc_id;
      const of = {
        tenantCode: origins.tenant(call.actor, call.body.tenant_code),
        docId,
        actor: actorOf(call),
      };
      const asked = await reader.ask(of);
      if (!asked) throw notFound(`Policy file ${docId}`);
      if ('refused' in asked) {
        const { status } = asked.refused;
        if (['uploaded', 'parsing', 'review'].includes(status))
          throw conflict('original_pending', 'The original of this file has not been uploaded yet.');
        const why = `A file is read until it has been effective; it is ${status}.`;
        const extra = { state: shownState(status) };
        throw new AppError(409, 'chunks_closed', why, { retryable: false, extra });
      }
      return { body: viewOf(asked) };
    },
  });
}

function viewOf({ document, reading }: ReadingOfDocument): z.infer<typeof readingView> {
  const { id, tenantCode: tenant, title, fileName, status } = document;
  // What another program has taken, it reads.
  const elsewhere = status === 'parsing' && reading?.state !== 'reading';
  return {
    docId: id,
    tenantCode: tenant,
    title,
    fileName,
    readingState: elsewhere ? 'reading' : (reading?.state ?? 'waiting'),
    readingStage: reading?.stage ?? null,
    atPage: reading?.page ?? null,
    ofPages: reading?.pages ?? null,
    attempts: reading?.attempts ?? 0,
    notes: (reading?.notes ?? []).map(viewNote),
    changedAt: formatTime(reading?.updatedAt ?? document.updatedAt),
  };
}

const viewNote = (note: Message): z.infer<typeof noteView> => ({
  message: translate(ingestMessages, note, 'en') ?? note.code,
  messageZh: translate(ingestMessages, note, 'zh') ?? note.code,
});
