import * as z from 'zod/mini';
import { parseAnswer } from '../../common/http/body/json.ts';
import type { OutgoingAnswer } from '../../common/http/outbound/client.ts';
import { type InboxAnswer, type InboxItem, inboxKinds } from '../../common/uplink/inbox.ts';
import type { RejectedItem } from '../../common/uplink/wire.ts';
import type { LinkFault } from '../site-messages.ts';
import type { Batch } from './batch/batch.ts';

/** Longest wait that a `Retry-After` may ask for. */
const MAX_RETRY_AFTER_MS = 600_000;

export interface Accepted {
  /** Epoch of headquarters' store. */
  epoch: string;
  accepted: number;
  duplicates: number;
  /** Position up to which headquarters has everything; at most the end of the batch. */
  cursor: number;
  rejected: RejectedItem[];
  /** Tenants whose events headquarters takes of this site; null when it does not say. */
  tenants: string[] | null;
  /** Another store sends under this site's name, too. */
  doubled: boolean;
}

/** What an answer means for the batch that it answers. */
export type Outcome =
  | { kind: 'answered'; answer: Accepted }
  /** Headquarters has stored less than was once confirmed. */
  | { kind: 'cursor_ahead'; known: number; epoch: string | null }
  /** The store of this site is an older copy of itself. */
  | { kind: 'sender_rolled_back'; known: number }
  | { kind: 'too_large' }
  /** Refused as a whole because of something in it. */
  | { kind: 'refused'; error: string; message: string }
  /**
   * Nothing is decided; the same is tried again later. `skewSeconds`: how far this clock is ahead of
   * headquarters'.
   */
  | { kind: 'failed'; fault: LinkFault; retryAfterMs: number; skewSeconds: number | null };

const position = z.int().check(z.minimum(0));
const common = {
  protocol: z.int(),
  epoch: z.string().check(z.minLength(1)),
};
const answerForm = z.object({
  ...common,
  accepted: position,
  duplicates: position,
  cursor: position,
  rejected: z.array(z.object({ originId: z.int(), error: z.string(), message: z.string() })),
  tenants: z._default(z.nullable(z.array(z.string())), null),
  doubled: z._default(z.boolean(), false),
});
const inboxItem = z.object({
  no: position,
  kind: z.string(),
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  body: z.unknown(),
});
const inboxForm = z.object({
  ...common,
  items: z.array(z.unknown()),
  through: position,
  waiting: z._default(z.partialRecord(z.enum(inboxKinds), position), {}),
  held: z.boolean(),
  tenants: z.optional(z.array(z.string())),
  features: z._default(z.array(z.string()), []),
});
const errorForm = z.object({
  error: z.string(),
  message: z._default(z.string(), ''),
  known: z.optional(position),
  epoch: z.optional(z.string()),
  serverUnixSeconds: z.optional(z.number()),
});
type ErrorBody = z.infer<typeof errorForm>;

/** Codes of a 400 that blame the request, not its items. */
const NOT_THE_ITEMS = new Set([
  'protocol_unsupported',
  'body_incomplete',
  'malformed_request',
  'bad_encoding',
]);

/** @param now this clock, epoch ms */
export function readAnswer(batch: Batch, http: OutgoingAnswer, now: number): Outcome {
  const json = jsonOf(http);
  if (http.status === 200) return readAccepted(batch, json);
  const parsed = errorForm.safeParse(json);
  const body = parsed.success ? parsed.data : null;
  switch (http.status) {
    case 400:
      if (body && batch.marks.length > 0 && !NOT_THE_ITEMS.has(body.error)) {
        return { kind: 'refused', error: body.error, message: body.message };
      }
      break;
    case 409:
      if (body?.error === 'cursor_ahead' && body.known !== undefined && body.known < batch.from) {
        return { kind: 'cursor_ahead', known: body.known, epoch: body.epoch ?? null };
      }
      if (body?.error === 'sender_rolled_back' && body.known !== undefined) {
        return { kind: 'sender_rolled_back', known: body.known };
      }
      break;
    case 413:
      if (batch.marks.length > 0) return { kind: 'too_large' };
      break;
    default:
  }
  return failure(http, body, now);
}

function readAccepted(batch: Batch, json: unknown): Outcome {
  const parsed = answerForm.safeParse(json);
  if (!parsed.success) return protocolError({ code: 'answer_without_form', params: {} });
  const answer = parsed.data;
  const inside =
    answer.cursor >= batch.from &&
    answer.cursor <= batch.head &&
    (answer.cursor > batch.from || batch.to === batch.from);
  if (!inside) {
    const { from, to, head } = batch;
    return protocolError({ code: 'answer_outside', params: { cursor: answer.cursor, from, to, head } });
  }
  // Headquarters holds more when an earlier answer was lost; the items beyond the batch are sent again, so
  // that it tells once more which of them it refused.
  const cursor = Math.min(answer.cursor, batch.to);
  const known = new Set(batch.marks.map((mark) => mark.position));
  const [stray] = answer.rejected.filter((item) => !known.has(item.originId));
  if (!stray) return { kind: 'answered', answer: { ...answer, cursor } };
  const [only] = batch.marks;
  // Smaller batches find out which item it meant.
  if (!only || batch.marks.length > 1) return { kind: 'refused', error: stray.error, message: stray.message };
  return {
    kind: 'answered',
    answer: { ...answer, cursor, rejected: [{ ...stray, originId: only.position }] },
  };
}

/**
 * The answer to a poll of the inbox; null: it has not the form of one. An item without a form is left out: it
 * names nothing that could be answered.
 */
export function readInbox({ body }: OutgoingAnswer): InboxAnswer | null {
  const answer = inboxForm.safeParse(jsonOf({ body })).data;
  if (!answer) return null;
  const items = answer.items.flatMap(
    (item) => (inboxItem.safeParse(item).data as InboxItem | undefined) ?? [],
  );
  return { ...answer, items };
}

/** An answer that decides nothing, to a call that is no batch. @param now this clock, epoch ms */
export function readFailure(http: OutgoingAnswer, now: number): Extract<Outcome, { kind: 'failed' }> {
  const parsed = errorForm.safeParse(jsonOf(http));
  return failure(http, parsed.success ? parsed.data : null, now);
}

function failure(
  http: OutgoingAnswer,
  body: ErrorBody | null,
  now: number,
): Extract<Outcome, { kind: 'failed' }> {
  const skewSeconds =
    body?.error === 'clock_skew' && body.serverUnixSeconds !== undefined
      ? Math.round(now / 1000 - body.serverUnixSeconds)
      : null;
  return {
    kind: 'failed',
    fault: faultOf(http.status, body, skewSeconds),
    skewSeconds,
    retryAfterMs: retryAfter(http.headers['retry-after'], now),
  };
}

/** What went wrong, as a message that tells a person what to do. */
function faultOf(status: number, body: ErrorBody | null, skewSeconds: number | null): LinkFault {
  if (skewSeconds !== null) {
    return {
      code: skewSeconds > 0 ? 'clock_ahead' : 'clock_behind',
      params: { seconds: Math.abs(skewSeconds) },
    };
  }
  const said = body
    ? `${status} ${body.error}${body.message === '' ? '' : `: ${body.message}`}`
    : `${status}`;
  return { code: answerCode(status, body), params: { said } };
}

function answerCode(status: number, body: ErrorBody | null) {
  if (body?.error === 'protocol_unsupported') return 'hub_older_protocol';
  if (body?.error === 'store_damaged') return 'hub_damaged';
  if (status === 401) return 'hub_refused_key';
  if (status === 403) return 'hub_refused_site';
  if (status === 404) return 'no_uplink_there';
  if (status === 429 || status === 503) return 'hub_busy';
  if (status === 507) return 'hub_full';
  return status >= 500 ? 'hub_failed' : 'hub_answered';
}

/** Milliseconds; 0 when nothing valid was asked for. */
export function retryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : 0;
}

const protocolError = (fault: LinkFault): Outcome => ({
  kind: 'failed',
  fault,
  retryAfterMs: 0,
  skewSeconds: null,
});

/** What an answer of headquarters may hold, counted before it is parsed. */
const LIMITS = { depth: 64, values: 200_000, run: 50_000 };

/** null for what is not from headquarters; the caller's schema refuses it. */
export const jsonOf = ({ body }: Pick<OutgoingAnswer, 'body'>): unknown => parseAnswer(body, LIMITS) ?? null;
