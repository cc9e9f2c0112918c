import type { Catalogue, Particulars } from '../../message.ts';
import { type AppError, badRequest } from '../error.ts';
import { type FaultMakers, faultMakers } from './fault.ts';
import { inputFaultMessages } from './fault-messages.ts';

/** What a room may say of a fault: its own sentences, and those of every input. */
type Said<Own extends Catalogue> = typeof inputFaultMessages & Own;

interface RoomFaults<Own extends Catalogue> extends FaultMakers<Said<Own>> {
  /** The request is refused for this one. */
  fault: <Code extends keyof Said<Own> & string>(
    path: string,
    code: Code,
    ...params: Particulars<Said<Own>, Code>
  ) => AppError;
}

/**
 * What makes faults in the words of one room, whose catalogue stands beside it in `*-fault-messages.ts` and
 * is known nowhere else.
 */
export function faultsOf<Own extends Catalogue>(own: Own): RoomFaults<Own> {
  const makers = faultMakers<Said<Own>>({ ...inputFaultMessages, ...own });
  return {
    ...makers,
    fault: (path, code, ...params) => badRequest([makers.faultAt(path, code, ...params)]),
  };
}
