/**
 * What headquarters asks a site to look at or to do (DESIGN.md, "Looking in"), shared by both ends.
 *
 * A request comes down with the inbox. The site notes it before it is carried out, carries it out beside
 * the inbox, and its answer goes up as a `request` of the log (change/request.ts): a bounded text. What is
 * larger, such as a bundle or a picture, is announced there with size and digest, and comes after it in
 * pieces beside the channels. All is idempotent by the id of the request.
 */
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { tenantCode } from '../../core/event/schema.ts';
import { keyIdText } from '../../core/key/schema.ts';
import { described } from '../../http/described.ts';
import { LAST_CLOCK } from '../../time.ts';

const clockTime = z.int().check(z.minimum(0), z.maximum(LAST_CLOCK));
const orNull = <T extends z.core.SomeType>(schema: T) => z._default(z.nullable(schema), null);

/** `try`: what a device sends, as `node try` shows it. `log`: the end of the log of the service. */
export const requestKinds = ['check', 'status', 'log', 'bundle', 'picture', 'try', 'restart'] as const;
export type RequestKind = (typeof requestKinds)[number];
/** Those that are on one device. */
export const DEVICE_KINDS: readonly RequestKind[] = ['picture', 'try'];

/** Characters of the text of an answer, bytes of its file, and bytes of one piece of that, at most. */
export const MAX_ANSWER_TEXT = 32_000;
export const MAX_ANSWER_FILE = 8 * 1024 * 1024;
/** Lines of a log, and how long a device is listened to, seconds. */
export const LOG_LINES = { least: 1, most: 500, usual: 200 } as const;
export const TRY_SECONDS = { least: 1, most: 50, usual: 30 } as const;

export const requestId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/));

/** Body of an item of the inbox. */
export const siteRequest = z
  .object({
    request_id: requestId,
    tenant_code: tenantCode,
    what: z.enum(requestKinds),
    /** Key of the device that it is on; null: it is on none. */
    device: orNull(keyIdText),
    lines: orNull(z.int().check(z.minimum(LOG_LINES.least), z.maximum(LOG_LINES.most))),
    seconds: orNull(z.int().check(z.minimum(TRY_SECONDS.least), z.maximum(TRY_SECONDS.most))),
    /** In which the answer is written. */
    language: z.enum(['en', 'zh']),
    asked_by: z.string().check(upTo(256)),
    /** Epoch ms; it is not carried out from `expires_at` on. */
    asked_at: clockTime,
    expires_at: clockTime,
  })
  .register(described, { id: 'SiteRequestDown' });
export type SiteRequest = z.infer<typeof siteRequest>;

export const requestStates = ['done', 'failed', 'refused', 'expired'] as const;
export type RequestState = (typeof requestStates)[number];

/** A file of an answer, as it is announced. */
export const answerFile = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,128}$/)),
  content_type: z.enum(['application/gzip', 'image/jpeg', 'image/png']),
  size: z.int().check(z.minimum(1), z.maximum(MAX_ANSWER_FILE)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type AnswerFile = z.infer<typeof answerFile>;

export const REQUEST_FILE_PATH = '/api/core/uplink/requests/{request_id}/file';
export const requestFilePath = (id: string, offset: number): string =>
  `${REQUEST_FILE_PATH.replace('{request_id}', encodeURIComponent(id))}?offset=${offset}`;
