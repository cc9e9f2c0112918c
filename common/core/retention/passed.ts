// What a person is told of events that were deleted before a consumer had confirmed them.
import type { RaiseAlarm } from '../alarm/port.ts';
import type { Untold } from './record.ts';

/** The response rules take their events under this name (spec 3). */
const RESPONSE_RULES = 'agent';

/** @param why what became of the events, after "they" */
export function passedAlarm(
  { consumer, events, more, from, to }: Untold,
  instance: string,
  why: string,
): RaiseAlarm {
  const ids = from === to ? `id ${from}` : `ids from ${from} to ${to}`;
  const where =
    from === null || to === null ? '' : ` (${more === events ? '' : `the last ${more} with `}${ids})`;
  const rules = consumer === RESPONSE_RULES;
  return {
    key: `retention_passed_consumer:${consumer}`,
    instance,
    tenantCode: null,
    severity: rules ? 'critical' : 'warning',
    details: { consumer, events, more, from, to },
    message: rules
      ? `The response rules never ran on ${events} events${where}: they ${why} before the agent came to them, so that no task was made and nobody was notified. ` +
        'Headquarters has those that were sent: look at them there and make what tasks they need by hand.'
      : `The consumer ${consumer} has lost ${events} events${where}: they ${why} before it had confirmed them.`,
  };
}
