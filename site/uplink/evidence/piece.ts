import * as z from 'zod/mini';
import type { LinkFault } from '../../site-messages.ts';
import { jsonOf } from '../answer.ts';
import type { Failed, HubCalls } from '../hub-calls.ts';

/** Headquarters has no room for files of this tenant now. */
export interface Full {
  kind: 'full';
  fault: LinkFault;
  retryAfterMs: number;
}
export type PieceOutcome =
  | { kind: 'held'; offset: number; done: boolean }
  /** Headquarters holds another number of bytes. */
  | { kind: 'elsewhere'; offset: number }
  /** What came whole is not what was announced: from the start, until headquarters gives it up. */
  | { kind: 'differs'; offset: number }
  | { kind: 'not_wanted' }
  | Full
  | Failed;

const NO_ROOM = 507;
const form = z.object({ offset: z.int().check(z.minimum(0)), done: z._default(z.boolean(), false) });

/**
 * Brings one piece of a file; one without bytes asks how much of it headquarters holds.
 * @param size of the file, bytes: an answer that holds more is none
 */
export async function bringPiece(
  calls: HubCalls,
  target: string,
  { body, size, signal }: { body: Buffer; size: number; signal: AbortSignal },
): Promise<PieceOutcome> {
  const http = await calls.send('PUT', target, { body, type: 'application/octet-stream', signal });
  if ('kind' in http) return http;
  if (http.status === 404) return { kind: 'not_wanted' };
  const read = form.safeParse(jsonOf(http)).data;
  const told = read && read.offset <= size ? read : null;
  if (told && http.status === 200) return { kind: 'held', ...told };
  if (told && http.status === 409) return { kind: 'elsewhere', offset: told.offset };
  if (told && http.status === 422) return { kind: 'differs', offset: told.offset };
  return fullOrFailed(calls.failed(http), http.status);
}

export const fullOrFailed = (failed: Failed, status: number): Full | Failed =>
  status === NO_ROOM ? { kind: 'full', fault: failed.fault, retryAfterMs: failed.retryAfterMs } : failed;
