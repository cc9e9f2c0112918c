import * as z from 'zod/mini';
import { actorOf } from '../../../common/http/caller.ts';
import { forbidden } from '../../../common/http/error.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTime, parseTime } from '../../../common/time.ts';
import { readErrors } from '../document/access.ts';
import { isBound, type Origins } from '../origin.ts';
import type { QaFilter } from '../port.ts';
import { answerView, reopenedView, viewAnswer } from '../view.ts';
import { answerInput, answerQuery, answersQuery, feedbackInput } from './schema.ts';
import type { QaLogService } from './service.ts';

const access = ['admin', 'session'] as const;
const tag = 'Policy library';
const qaParams = z.strictObject({ qa_id: z.coerce.number().check(z.int(), z.minimum(1)) });
const WHOSE =
  'With `x-core-subject`, and in a portal session, it is the log of that account, without what cites ' +
  'above its clearance now. `all_levels=1`, from the service channel or the console, is ' +
  "everyone's and is audited each time.";

/** The question-and-answer log (spec 3). */
export function qaLogRoutes(service: QaLogService, origins: Origins): Route[] {
  return [writeRoute(service, origins), ...readRoutes(service, origins), feedbackRoute(service, origins)];
}

function writeRoute(service: QaLogService, origins: Origins): Route {
  return route({
    method: 'POST',
    path: '/api/core/kb/qa_log',
    tag,
    access: [...access, 'consumer'],
    permission: 'policy.manage',
    scopes: ['policy.log'],
    body: answerInput,
    summary: 'Log one question with its answer, or with the reason why none was given',
    description:
      'Only from the service channel, the console and keys with the scope `policy.log`. `subject` is who ' +
      'asked, for a key its own account. Citations are pinned to ' +
      'chunk and fingerprint: that of the chunk now, where `sha256` is left out. ' +
      'A chunk that was replaced since it was shown is taken with its `sha256`; one that never was the ' +
      "tenant's is refused, and nothing is logged.",
    replies: { 201: { description: 'The entry', schema: answerView } },
    errors: { 403: 'tenant_not_allowed, subject_mismatch' },
    handle: async (call) => {
      const { actor, body } = call;
      const asker = origins.subject(actor, body.subject);
      const given = { ...body, tenant_code: origins.tenant(actor, body.tenant_code), subject: asker };
      return { status: 201, body: viewAnswer(await service.add(given, actorOf(call))) };
    },
  });
}

function readRoutes(service: QaLogService, origins: Origins): Route[] {
  const permission = 'policy.view';
  return [
    route({
      method: 'GET',
      path: '/api/core/kb/qa_log',
      tag,
      access,
      permission,
      query: answersQuery,
      summary: 'Read the log, newest first; since and until are left-closed, right-open',
      description: WHOSE,
      replies: { 200: { description: 'A page of entries', schema: pageOf(answerView) } },
      errors: readErrors,
      handle: async (call) => {
        const { query } = call;
        const eyes = await origins.reader(
          call,
          origins.tenant(call.actor, query.tenant_code),
          query.all_levels === '1',
          'kb_qa_log',
        );
        if (query.asker !== undefined && eyes.subject !== null && query.asker !== eyes.subject)
          throw forbidden('An account reads its own log only; leave asker out.');
        const page = await service.list(eyes, filterOf(query), query.cursor, query.limit);
        return { body: { ...page, items: page.items.map(viewAnswer) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/kb/qa_log/{qa_id}',
      tag,
      access,
      permission,
      params: qaParams,
      query: answerQuery,
      summary: 'An old answer, and what became since of what it cites',
      description:
        `${WHOSE} \`reason\` of a citation is as in the citation check, empty where it still holds; ` +
        `\`supersededBy\` is the file that took the place of the cited one.`,
      replies: { 200: { description: 'The entry', schema: reopenedView } },
      errors: { ...readErrors, 404: 'not_found' },
      handle: async (call) => {
        const eyes = await origins.reader(
          call,
          origins.tenant(call.actor, call.query.tenant_code),
          call.query.all_levels === '1',
          `kb_qa:${call.params.qa_id}`,
        );
        const { entry, citations, asOf } = await service.reopen(call.params.qa_id, eyes);
        return {
          body: {
            ...viewAnswer(entry),
            citations,
            stillValid: citations.every(({ reason }) => reason === ''),
            asOf: formatTime(asOf),
          },
        };
      },
    }),
  ];
}

function feedbackRoute(service: QaLogService, origins: Origins): Route {
  return route({
    method: 'POST',
    path: '/api/core/kb/qa_log/{qa_id}/feedback',
    tag,
    access,
    permission: 'policy.view',
    params: qaParams,
    body: feedbackInput,
    summary: 'Mark an answer useful or wrong; only who asked may',
    description:
      "The service channel and the console name the asker in `subject`. Anybody else's answer is 404. " +
      'A later mark replaces an earlier one.',
    replies: { 200: { description: 'The entry', schema: answerView } },
    errors: { 403: 'tenant_not_allowed, subject_mismatch', 404: 'not_found' },
    handle: async (call) => {
      const { actor, body } = call;
      const tenant = origins.tenant(actor, body.tenant_code);
      const subject = origins.subject(actor, body.subject);
      const mark = {
        feedback: body.feedback,
        note: body.note ?? null,
        actor: `${actorOf(call)}${isBound(actor) ? '' : ` for ${subject}`}`,
      };
      return {
        body: viewAnswer(
          await service.mark(
            call.params.qa_id,
            { ...(await origins.sightOf(tenant, subject)), subject },
            mark,
          ),
        ),
      };
    },
  });
}

function filterOf(
  query: z.infer<typeof answersQuery>,
): Pick<QaFilter, 'asker' | 'feedback' | 'since' | 'until'> {
  const since = query.since === undefined ? null : parseTime(query.since);
  const until = query.until === undefined ? null : parseTime(query.until);
  return {
    ...(query.asker === undefined ? {} : { asker: query.asker }),
    ...(query.feedback === undefined ? {} : { feedback: query.feedback }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
  };
}
