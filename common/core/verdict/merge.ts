// The event that another was merged into, by its identity: its row may be kept elsewhere, or no longer.
import type { EventRecord } from '../event/record.ts';
import type { MergeTarget, WriteCorrection, WriteVerdict } from './record.ts';

/**
 * No event is merged into itself, nor into one that nobody names. @returns null when it may not be written
 */
export function mergeOf(
  seen: { event: EventRecord; target: EventRecord | null },
  command: Pick<WriteVerdict | WriteCorrection, 'verdict' | 'mergedInto' | 'target'>,
): MergeTarget | null {
  if (command.verdict !== 'merged')
    return { mergedInto: null, mergedIntoKey: null, mergedIntoInstance: null };
  const { event, target } = seen;
  if (target) {
    if (target.id === event.id || target.tenantCode !== event.tenantCode) return null;
    return {
      mergedInto: target.id,
      mergedIntoKey: target.idempotencyKey,
      mergedIntoInstance: target.instance,
    };
  }
  const named = command.target;
  if (!named || (named.key === event.idempotencyKey && named.instance === event.instance)) return null;
  return { mergedInto: null, mergedIntoKey: named.key, mergedIntoInstance: named.instance };
}

/**
 * " into event 7": by its id where its row is kept here, otherwise by its key and where it arose; empty
 * without a target.
 */
export function intoTarget({ mergedInto, mergedIntoKey, mergedIntoInstance }: MergeTarget): string {
  if (mergedInto !== null) return ` into event ${mergedInto}`;
  if (mergedIntoKey === null) return '';
  return ` into the event ${mergedIntoKey}${mergedIntoInstance === null ? '' : ` of ${mergedIntoInstance}`}`;
}
