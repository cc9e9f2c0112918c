// Who decided or ordered something finds in the inbox that the site did not carry it out.
import type { Stamp } from '../../../common/clock.ts';
import { type MessageOf, say } from '../../../common/message.ts';
import { hubMessages } from '../../hub-messages.ts';
import { addNotifications } from '../../store/adapter/notification.ts';
import type { Tx } from '../../store/engine/database.ts';

/**
 * To be called in the transaction that settles the decision or order. The message names its author, because
 * the inbox belongs to the whole tenant.
 */
export async function notifyAuthor(
  tx: Tx,
  about: { tenantCode: string; eventId: number | null; taskId: number | null },
  message: MessageOf<typeof hubMessages>,
  { now, newId }: Stamp,
): Promise<void> {
  const text = `${say(hubMessages, message, 'zh')} / ${say(hubMessages, message, 'en')}`;
  await addNotifications(
    tx,
    [
      {
        ...about,
        id: newId(),
        kind: 'refusal',
        channel: 'inbox',
        channelId: null,
        handover: null,
        deliveredBy: null,
        instance: null,
        originId: null,
        ruleName: null,
        severity: 'high',
        message: text,
        isTest: false,
        state: 'sent',
        attempts: 0,
        nextAt: now,
        lastError: null,
        createdAt: now,
        settledAt: now,
      },
    ],
    now,
  );
}
