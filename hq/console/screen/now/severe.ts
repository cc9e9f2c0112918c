import { answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { LIVE } from '../../api/queries.ts';

export const SEVERE = ['critical', 'high'] as const;
/** As many as a count tells apart. */
export const LIMIT = 100;
const DAYS_MS = 7 * 86_400_000;

/** Seven days ago to the hour, so that the address and the key of a list stay for a while. */
export const weekAgo = (): string =>
  new Date(Math.floor((timeNow() - DAYS_MS) / 3_600_000) * 3_600_000).toISOString();

/** Severe events of the last days that nobody has judged. */
export const severeQuery = {
  ...LIVE,
  queryKey: ['now', 'severe'],
  queryFn: () =>
    answerOf(
      api.GET('/api/core/events/list', {
        params: { query: { verdict: 'none', severity: SEVERE.join(','), since: weekAgo(), limit: LIMIT } },
      }),
    ),
};
