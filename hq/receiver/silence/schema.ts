import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';

/** `away`: it is planned to be, and was not heard for half a minute. */
export const siteState = z.enum(['current', 'late', 'silent', 'away']);

/** What anybody may know of a site that brings events of theirs. */
export const siteStateView = z
  .object({
    instance: z.string(),
    displayName: z.nullable(z.string()),
    groups: z.array(z.string()),
    state: siteState,
    lastSeenAt: z.nullable(z.string()),
  })
  .register(described, { id: 'SiteState' });
