// The answer to a request of headquarters, on the way up.
import * as z from 'zod/mini';
import { tenantCode } from '../../core/event/schema.ts';
import { clockTime, line, orNull, told } from '../item.ts';
import { answerFile, MAX_ANSWER_TEXT, requestId, requestStates } from '../request/schema.ts';
import { id } from './names.ts';

export const requestAnswer = z.object({
  change_no: id,
  tenant_code: tenantCode,
  kind: z.literal('request'),
  request_id: requestId,
  /** `failed`: it was tried; `refused`, `expired`: it was not. */
  state: z.enum(requestStates),
  at: clockTime,
  /** As a command of the site would have ended; null: it was no command. */
  exit: orNull(z.int().check(z.minimum(0), z.maximum(255))),
  text: orNull(line(MAX_ANSWER_TEXT)),
  file: orNull(answerFile),
  reason: orNull(line(4_000)),
  told,
});
export type RequestAnswer = z.infer<typeof requestAnswer>;
