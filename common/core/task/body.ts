import type { Fault } from '../../http/error.ts';
import { deeperThan } from '../event/intake.ts';
import { MAX_BODY_BYTES, MAX_BODY_DEPTH, protectedMembers } from './schema.ts';

/** What is wrong with a body, or with members to be laid over one; every protected member is named. */
export function bodyFaults(body: Record<string, unknown>): Fault[] {
  const faults: Fault[] = protectedMembers
    .filter((name) => Object.hasOwn(body, name))
    .map((name) => ({
      path: `body.${name}`,
      message: 'is disposition evidence, which only the service writes',
    }));
  const message = bodyTooLarge(body);
  return message === null ? faults : [...faults, { path: 'body', message }];
}

/** @returns which limit it breaks; null when none */
export function bodyTooLarge(body: Record<string, unknown>): string | null {
  // Before the text is made: JSON.stringify ends in an error on an object nested without bound.
  if (deeperThan(body, MAX_BODY_DEPTH)) return `must not be nested more than ${MAX_BODY_DEPTH} levels deep`;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return bytes > MAX_BODY_BYTES ? `must be at most ${MAX_BODY_BYTES} bytes as JSON; it is ${bytes}` : null;
}
