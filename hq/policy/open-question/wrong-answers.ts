import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../common/clock.ts';
import { tenantCode } from '../../../common/core/event/schema.ts';
import { pagedList, viewPage } from '../../../common/cursor.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { notFound } from '../../../common/http/error.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { readErrors, WHOSE } from '../document/access.ts';
import type { Origins } from '../origin.ts';
import type { QaLogPort, Visibility } from '../port.ts';
import type { QaEntry } from '../record.ts';
import { cursor, flag, limit } from '../schema.ts';
import type { SearchService } from '../search/service.ts';

const access = ['admin', 'session'] as const;
const permission = 'policy.manage';
const tag = 'Policy search';
const path = '/api/core/kb/questions/wrong';
const ANSWERS = pagedList('kb-wrong-answers', ['number']);

const text = z.nullable(z.string());
const wrongView = z
  .object({
    qaId: z.int(),
    tenantCode: z.string(),
    question: z.string(),
    answer: text,
    refusalReason: text,
    feedbackNote: text,
    feedbackAt: text,
    unknownWords: z.array(z.string()),
    createdAt: z.string(),
  })
  .register(described, { id: 'PolicyWrongAnswer' });
const wrongQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  all_levels: flag,
  limit: limit(50, 100),
  cursor,
});
const qaParams = z.strictObject({ qa_id: z.coerce.number().check(z.int(), z.minimum(1)) });
const settleQuery = z.strictObject({ tenant_code: z.optional(tenantCode), all_levels: flag });

export interface WrongAnswerParts {
  answers: Pick<QaLogPort, 'list' | 'settle'>;
  search: Pick<SearchService, 'unknownWords'>;
  origins: Origins;
  clock: Clock;
}

/** Answers that their readers marked wrong, for who keeps the library: beside the questions without one. */
export const wrongAnswerRoutes = (parts: WrongAnswerParts): Route[] => [listRoute(parts), settleRoute(parts)];

function listRoute({ answers, search, origins }: WrongAnswerParts): Route {
  return route({
    method: 'GET',
    path,
    tag,
    access,
    permission,
    query: wrongQuery,
    summary: 'Answers that their readers marked wrong, newest first',
    description:
      `${WHOSE} With what was answered, the remark, and the words of the question that no clause has; ` +
      'who asked is not told. What cites above the clearance is left out.',
    replies: { 200: { description: 'A page of answers', schema: pageOf(wrongView) } },
    errors: readErrors,
    handle: async (call) => {
      const { query } = call;
      const visibility = await sightOf(origins, call, query, 'kb_wrong_answers');
      const before = ANSWERS.positionOf(query.cursor)?.[0] ?? null;
      const rows = await answers.list(wrongWithin(visibility), before, query.limit + 1);
      const page = ANSWERS.page(rows, query.limit, ({ id }) => [id]);
      const words = new Map<number, string[]>();
      for (const { id, question } of page.items)
        words.set(id, await search.unknownWords(question, visibility));
      return { body: viewPage(page, (entry) => viewOf(entry, words.get(entry.id) ?? [])) };
    },
  });
}

function settleRoute({ answers, origins, clock }: WrongAnswerParts): Route {
  return route({
    method: 'DELETE',
    path: `${path}/{qa_id}`,
    tag,
    access,
    permission,
    params: qaParams,
    query: settleQuery,
    summary: 'Take a wrong answer off the list, since it was dealt with',
    description: 'It stays in the log, and comes back when it is marked wrong once more.',
    replies: { 200: { description: 'It is off the list', schema: z.object({ removed: z.boolean() }) } },
    errors: { ...readErrors, 404: 'not_found' },
    handle: async (call) => {
      const id = call.params.qa_id;
      const visibility = await sightOf(origins, call, call.query, `kb_qa:${id}`);
      if (!(await answers.settle(id, wrongWithin(visibility), actorOf(call), stampOf(clock))))
        throw notFound('There is no such answer on the list.');
      return { body: { removed: true } };
    },
  });
}

async function sightOf(
  origins: Origins,
  call: Parameters<Origins['reader']>[0],
  { tenant_code: named, all_levels: all }: z.infer<typeof settleQuery>,
  what: string,
): Promise<Visibility> {
  const tenant = origins.tenant(call.actor, named);
  const { maxRank } = await origins.reader(call, tenant, all === '1', what);
  return { tenantCode: tenant, maxRank };
}

const wrongWithin = (visibility: Visibility) =>
  ({ ...visibility, feedback: 'wrong', unsettled: true }) as const;

const viewOf = (entry: QaEntry, unknownWords: string[]): z.infer<typeof wrongView> => {
  const { id, tenantCode: tenant, question, answer, refusalReason, feedbackNote } = entry;
  return {
    qaId: id,
    tenantCode: tenant,
    question,
    answer,
    refusalReason,
    feedbackNote,
    feedbackAt: formatTimeOrNull(entry.feedbackAt),
    unknownWords,
    createdAt: formatTime(entry.createdAt),
  };
};
