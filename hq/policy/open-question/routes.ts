import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../common/clock.ts';
import { code, tenantCode } from '../../../common/core/event/schema.ts';
import { pagedList, viewPage } from '../../../common/cursor.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { notFound } from '../../../common/http/error.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { certainNotes } from '../../../common/policy/search/schema.ts';
import { formatTime } from '../../../common/time.ts';
import type { Origins } from '../origin.ts';
import { cursor, limit } from '../schema.ts';
import { MOST_QUESTIONS, type OpenQuestion, type OpenQuestionPort } from './port.ts';

const access = ['admin', 'session'] as const;
const permission = 'policy.manage';
const tag = 'Policy search';
const path = '/api/core/kb/questions';
const QUESTIONS = pagedList('kb-questions', ['number', 'string']);

const questionView = z
  .object({
    questionId: z.string(),
    tenantCode: z.string(),
    question: z.string(),
    certainNote: z.enum(certainNotes),
    unknownWords: z.array(z.string()),
    times: z.int(),
    firstAskedAt: z.string(),
    lastAskedAt: z.string(),
  })
  .register(described, { id: 'PolicyOpenQuestion' });
const questionsQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  limit: limit(50, 200),
  cursor,
});
const questionParams = z.strictObject({ question_id: code(64) });
const ofTenant = z.strictObject({ tenant_code: z.optional(tenantCode) });

/** Questions without a certain answer, for who keeps the library (`policy.manage`). */
export function openQuestionRoutes(questions: OpenQuestionPort, origins: Origins, clock: Clock): Route[] {
  return [
    route({
      method: 'GET',
      path,
      tag,
      access,
      permission,
      query: questionsQuery,
      summary: 'Questions to which the library had no certain answer, those asked last first',
      description:
        'Each question stands once, with how often it was asked and the words of it that no clause has; ' +
        `who asked is not kept. The ${MOST_QUESTIONS} of a tenant that were asked last are kept. Searches ` +
        'of some sources only, or with a least score of their own, are not noted.',
      replies: { 200: { description: 'A page of questions', schema: pageOf(questionView) } },
      errors: { 403: 'tenant_not_allowed' },
      handle: async ({ actor, query }) => {
        const at = QUESTIONS.positionOf(query.cursor);
        const after = at && { lastAt: at[0], id: at[1] };
        const rows = await questions.list(origins.tenant(actor, query.tenant_code), after, query.limit + 1);
        const page = QUESTIONS.page(rows, query.limit, ({ lastAt, id }) => [lastAt, id]);
        return { body: viewPage(page, viewOf) };
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/{question_id}`,
      tag,
      access,
      permission,
      params: questionParams,
      query: ofTenant,
      summary: 'Take a question off the list, since the library answers it now or never will',
      description: 'It comes back when it is asked again and still has no certain answer.',
      replies: { 200: { description: 'It is off the list', schema: z.object({ removed: z.boolean() }) } },
      errors: { 403: 'tenant_not_allowed', 404: 'not_found' },
      handle: async (call) => {
        const of = {
          tenantCode: origins.tenant(call.actor, call.query.tenant_code),
          id: call.params.question_id,
          actor: actorOf(call),
        };
        if (!(await questions.settle(of, stampOf(clock))))
          throw notFound('There is no such question on the list.');
        return { body: { removed: true } };
      },
    }),
  ];
}

type QuestionView = z.infer<typeof questionView>;
const viewOf = ({ id, note, unknown, firstAt, lastAt, ...rest }: OpenQuestion): QuestionView => ({
  tenantCode: rest.tenantCode,
  question: rest.question,
  times: rest.times,
  questionId: id,
  certainNote: note,
  unknownWords: unknown,
  firstAskedAt: formatTime(firstAt),
  lastAskedAt: formatTime(lastAt),
});
