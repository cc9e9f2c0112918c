import { eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { type MessageOf, say } from '../../../../common/message.ts';
import type { RequestAnswer } from '../../../../common/uplink/change/request.ts';
import { refusalMessages } from '../../../../common/uplink/refusal-messages.ts';
import { careRequests } from '../../schema/tables.ts';

/** The answer to a request, as it goes up; null: it was answered so long ago that it is not kept. */
export function readRequest(
  orm: BetterSQLite3Database,
  { no, subjectId }: { no: number; subjectId: number },
): RequestAnswer | null {
  const row = orm.select().from(careRequests).where(eq(careRequests.seq, subjectId)).get();
  if (!row || row.state === 'taken' || row.state === 'restarting') return null;
  const { requestId, asked, state, at, exit, text, file, told } = row;
  return {
    change_no: no,
    kind: 'request',
    tenant_code: asked.tenant_code,
    request_id: requestId,
    ...{ state, at, exit, text, file, told },
    reason: told && say(refusalMessages, told as MessageOf<typeof refusalMessages>, 'en'),
  };
}
