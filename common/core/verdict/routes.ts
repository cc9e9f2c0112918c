import * as z from 'zod/mini';
import { actorOf } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { idParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { correctionInput, verdictInput, verdictValues } from './schema.ts';
import type { VerdictService } from './service.ts';

const pushed = { pushedBack: z.boolean(), pushError: z.nullable(z.string()) };
const verdictReply = z
  .object({
    eventId: z.int(),
    verdict: z.enum(verdictValues),
    by: z.string(),
    at: z.string(),
    changed: z.boolean(),
    ...pushed,
  })
  .register(described, { id: 'Verdict' });
const correctionReply = z
  .object({
    id: z.string(),
    eventId: z.int(),
    verdict: z.enum(verdictValues),
    by: z.string(),
    at: z.string(),
    note: z.string(),
    ...pushed,
  })
  .register(described, { id: 'Correction' });

/**
 * Write-back of verdicts, one first verdict an event with corrections beside it (spec 2, "Verdict fields").
 */
export function verdictRoutes(service: VerdictService): Route[] {
  const access = ['admin', 'session', 'consumer'] as const;
  const permission = 'events.judge';
  const scopes = ['verdicts.write'] as const;
  const errors = { 403: 'tenant_mismatch', 404: 'not_found' };
  return [
    route({
      method: 'POST',
      path: '/api/core/events/{id}/verdict',
      tag: 'Verdicts',
      access,
      permission,
      scopes,
      params: idParam,
      body: verdictInput,
      summary: 'Write back a verdict; the first one stands, a repetition changes nothing',
      description:
        '`note` is required with `false_alarm`, `merged_into` with `merged`. `tenant_code`, when ' +
        "given, must be the event's. On an event that was judged already " +
        'the answer is the standing verdict with `changed: false`; to change it, write a correction. ' +
        '`pushedBack` tells whether the camera took the verdict within ' +
        'this request, `pushError` why not, to a caller bound to one tenant the class of the failure ' +
        'only; it is then tried again in the background. Given again, they say how that has gone, also at ' +
        'headquarters of the camera of a site. `by_kind` is what ' +
        "the body says; left out, `machine` when a consumer's key calls and `human` otherwise. A first " +
        'verdict of a person closes the open reviews of the event.',
      replies: { 200: { description: 'The standing verdict', schema: verdictReply } },
      errors,
      handle: async (call) => {
        const { verdict, changed, pushedBack, pushError } = await service.write(
          call.params.id,
          call.body,
          call.actor,
          actorOf(call),
        );
        return {
          body: {
            eventId: verdict.eventId,
            verdict: verdict.verdict,
            by: verdict.by,
            at: formatTime(verdict.at),
            changed,
            pushedBack,
            pushError,
          },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/events/{id}/corrections',
      tag: 'Verdicts',
      access,
      permission,
      scopes,
      params: idParam,
      body: correctionInput,
      summary: 'Correct a verdict; the correction stands beside the first verdict',
      description:
        "The event's `verdict` stays, `correctedTo` is the newest correction. The camera and, on the " +
        'uplink, the other side are told of it. An event without a ' +
        'verdict is 409 `no_verdict`.',
      replies: { 201: { description: 'The correction', schema: correctionReply } },
      errors: { ...errors, 409: 'no_verdict' },
      handle: async (call) => {
        const { correction, pushedBack, pushError } = await service.correct(
          call.params.id,
          call.body,
          call.actor,
          actorOf(call),
        );
        return {
          status: 201,
          body: {
            id: correction.id,
            eventId: correction.eventId,
            verdict: correction.verdict,
            by: correction.by,
            at: formatTime(correction.at),
            note: correction.note,
            pushedBack,
            pushError,
          },
        };
      },
    }),
  ];
}
