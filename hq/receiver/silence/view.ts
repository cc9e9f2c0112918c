import type * as z from 'zod/mini';
import { formatTimeOrNull } from '../../../common/time.ts';
import type { SiteHeard } from '../status.ts';
import type { siteStateView } from './schema.ts';

export const siteStateOf = ({
  instance,
  displayName,
  groups,
  state,
  lastSeenAt,
}: SiteHeard): z.infer<typeof siteStateView> => ({
  instance,
  displayName,
  groups,
  state,
  lastSeenAt: formatTimeOrNull(lastSeenAt),
});
