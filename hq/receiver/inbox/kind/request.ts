import type { Clock } from '../../../../common/clock.ts';
import type { RequestPort } from '../../../fleet/request/port.ts';
import type { InboxReader } from '../port.ts';

/** What people ask of the site. */
export const requestReader = (requests: Pick<RequestPort, 'goingDown'>, clock: Clock): InboxReader => ({
  kind: 'request',
  read: (entries) => requests.goingDown(entries, clock.now()),
});
