import * as z from 'zod/mini';
import { keyIdText } from '../../../common/core/key/schema.ts';
import { described } from '../../../common/http/described.ts';
import { LOG_LINES, requestKinds, TRY_SECONDS } from '../../../common/uplink/request/schema.ts';

/**
 * `waiting`: at headquarters; `sent`: the site has it, or will have it with the answer that is on its way;
 * `late`: it was sent, its time is over, and nothing was heard of it; `withdrawn`: it was taken back here.
 */
export const shownStates = [
  'waiting',
  'sent',
  'late',
  'done',
  'failed',
  'refused',
  'expired',
  'withdrawn',
] as const;
export type ShownState = (typeof shownStates)[number];

/** How long a request may wait, minutes. */
export const MINUTES = { least: 1, most: 7 * 24 * 60, usual: 60 } as const;

const within = ({ least, most }: { least: number; most: number }) =>
  z.int().check(z.minimum(least), z.maximum(most));

export const requestInput = z
  .strictObject({
    what: z.enum(requestKinds),
    device: z.optional(keyIdText),
    lines: z.optional(within(LOG_LINES)),
    seconds: z.optional(within(TRY_SECONDS)),
    language: z._default(z.enum(['en', 'zh']), 'en'),
    expires_minutes: z._default(within(MINUTES), MINUTES.usual),
  })
  .register(described, { id: 'NewSiteRequest' });

const file = z
  .object({
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    sha256: z.string(),
    /** Bytes of it that are here. */
    held: z.int(),
    whole: z.boolean(),
  })
  .register(described, { id: 'SiteRequestFile' });

const line = {
  id: z.string(),
  instance: z.string(),
  what: z.enum(requestKinds),
  device: z.nullable(z.string()),
  state: z.enum(shownStates),
  askedBy: z.string(),
  askedAt: z.string(),
  expiresAt: z.string(),
  sentAt: z.nullable(z.string()),
  answeredAt: z.nullable(z.string()),
  exit: z.nullable(z.int()),
  file: z.nullable(file),
  reason: z.nullable(z.string()),
  reasonZh: z.nullable(z.string()),
};
export const requestLine = z.object(line).register(described, { id: 'SiteRequestLine' });
export const requestView = z
  .object({ ...line, text: z.nullable(z.string()) })
  .register(described, { id: 'SiteRequest' });
