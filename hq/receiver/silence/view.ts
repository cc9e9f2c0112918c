import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import type { SiteHeard } from '../status.ts';

/** `away`: it is planned to be, and was not heard for half a minute. */
export const siteState = z.enum(['current', 'late', 'silent', 'away']);

/** What anybody may know of a site that brings events of theirs. */
export const siteStateView = z
  .object({
    instance: z.string(),
    displayName: z.nullable(z.string()),
    state: siteState,
    lastSeenAt: z.nullable(z.string()),
  })
  .register(described, { id: 'SiteState' });

export const siteStateOf = ({
  instance,
  displayName,
  state,
  lastSeenAt,
}: SiteHeard): z.infer<typeof siteStateView> => ({
  instance,
  displayName,
  state,
  lastSeenAt: formatTimeOrNull(lastSeenAt),
});
