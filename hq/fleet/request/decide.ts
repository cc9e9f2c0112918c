import { say } from '../../../common/message.ts';
import { DEVICE_KINDS, type RequestKind } from '../../../common/uplink/request/schema.ts';
import { requestRefusalMessages } from '../../../common/uplink/request-refusal-messages.ts';
import { MOST_MISMATCHES } from '../../evidence/decide.ts';
import type { RequestRow } from './record.ts';
import type { ShownState } from './schema.ts';

/** How a request stands. Pure. @param now epoch ms */
export function stateOf(
  { state, sentAt, expiresAt }: Pick<RequestRow, 'state' | 'sentAt' | 'expiresAt'>,
  now: number,
): ShownState {
  if (state !== 'open') return state;
  if (sentAt === null) return expiresAt > now ? 'waiting' : 'expired';
  return expiresAt > now ? 'sent' : 'late';
}

/** Whether it can be withdrawn: not answered, and not over before it was sent. Pure. @param now epoch ms */
export const isOpen = (row: Pick<RequestRow, 'state' | 'sentAt' | 'expiresAt'>, now: number): boolean =>
  ['waiting', 'sent', 'late'].includes(stateOf(row, now));

/** Whether what its site says of it counts: also of one given up here, since it may be there. Pure. */
export const takesAnswer = ({ state, reason }: Pick<RequestRow, 'state' | 'reason'>): boolean =>
  state === 'open' || state === 'withdrawn' || (state === 'expired' && reason === null);

/** What is wrong with the device of a request; null: nothing. Pure. */
export function deviceFault(what: RequestKind, device: string | null): 'required' | 'no_device' | null {
  const wanted = DEVICE_KINDS.includes(what);
  if (wanted && device === null) return 'required';
  return !wanted && device !== null ? 'no_device' : null;
}

/** What becomes of a request whose file came whole and is not the one announced. Pure. */
export function afterMismatch({
  mismatches,
}: {
  mismatches: number;
}): { held: number; mismatches: number } & Partial<Pick<RequestRow, 'state' | 'file' | 'reason' | 'told'>> {
  const times = mismatches + 1;
  if (times < MOST_MISMATCHES) return { held: 0, mismatches: times };
  const told = { code: 'request_file_changed', params: { times } } as const;
  const reason = say(requestRefusalMessages, told, 'en');
  return { held: 0, mismatches: times, state: 'failed', file: null, told, reason };
}
