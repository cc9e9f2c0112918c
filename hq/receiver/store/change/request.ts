// What sites answered to requests of people.
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { RequestAnswer } from '../../../../common/uplink/change/request.ts';
import { siteRequests } from '../../../fleet/store/request-schema.ts';
import type { Tx } from '../../../store/engine/database.ts';
import type { WorkSource } from './context.ts';

/**
 * One that is over here, or withdrawn, may have reached its site all the same: what that says counts.
 * @returns whether it was still to be answered
 */
export async function noteAnswer(tx: Tx, source: WorkSource, item: RequestAnswer): Promise<boolean> {
  const { id, instance, state } = siteRequests;
  const unanswered = or(
    inArray(state, ['open', 'withdrawn']),
    and(eq(state, 'expired'), isNull(siteRequests.reason)),
  );
  const { rowCount } = await tx.db
    .update(siteRequests)
    .set({
      state: item.state,
      answeredAt: item.at,
      exit: item.exit,
      text: item.text,
      file: item.file,
      reason: item.reason,
      told: item.told,
    })
    .where(and(eq(id, item.request_id), inArray(instance, [...source.owned]), unanswered));
  return (rowCount ?? 0) > 0;
}
