import * as z from 'zod/mini';
import { toldFault } from '../../../../common/uplink/fault.ts';
import { requestId, type SiteRequest, siteRequest } from '../../../../common/uplink/request/schema.ts';
import type { RequestRefusal } from '../../../../common/uplink/request-refusal-messages.ts';
import type { InboxDriver } from '../inbox.ts';
import type { Carried } from '../port.ts';

/** What takes a request that this site is to look into. */
export interface RequestTaker {
  take(asked: SiteRequest, refusal: RequestRefusal | null): Promise<Carried>;
}

/** What is needed to refuse a request that this version does not know. */
const nameForm = z.object({
  ...{ request_id: requestId, tenant_code: z.string() },
  ...{ asked_at: z.int(), expires_at: z.int() },
  asked_by: z._default(z.string(), ''),
});

/**
 * Requests to look in: each is noted, and carried out beside the inbox, so that nothing waits for it. One
 * without a usable id cannot be answered, and fails.
 */
export const requestDriver = (care: RequestTaker): InboxDriver => ({
  subjectOf: () => null,
  carryOut: (body) => {
    const parsed = siteRequest.safeParse(body);
    if (parsed.success) return care.take(parsed.data, null);
    const asked = { ...nameForm.parse(body), ...UNKNOWN };
    return care.take(asked, {
      code: 'request_not_understood',
      params: { where: toldFault(parsed.error, body) },
    });
  },
});

const UNKNOWN = {
  ...{ what: 'status', device: null, lines: null, seconds: null, language: 'en' },
} as const satisfies Partial<SiteRequest>;
