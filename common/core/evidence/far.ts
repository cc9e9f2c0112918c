import type { MessageOf } from '../../message.ts';
import { formatTime } from '../../time.ts';
import type { Called } from '../instance/record.ts';
import type { farMessages } from './far-messages.ts';
import type { RemoteFile } from './port.ts';

type FarMessage = MessageOf<typeof farMessages>;

/** Where a file stands, as a person reads it. @param size bytes of the whole. Pure. */
export function farMessage(far: RemoteFile, size: number, called: Called): FarMessage {
  const { state, bytes, deletedAt, sendsNone } = far;
  const site = called(far.instance);
  const reason = sendsNone
    ? ({ code: 'site_sends_none', params: {} } as const)
    : (far.reason ?? ({ code: 'no_reason', params: {} } as const));
  switch (state) {
    case 'at_site':
      return sendsNone || far.reason !== null
        ? { code: 'evidence_not_sent', params: { site, reason } }
        : { code: 'evidence_at_site', params: { site } };
    case 'asked':
      return far.reason === null
        ? { code: 'evidence_asked', params: { site } }
        : { code: 'evidence_held_up', params: { site, reason } };
    case 'awaited':
      return { code: 'evidence_awaited', params: { site } };
    case 'arriving':
      return { code: 'evidence_arriving', params: { site, bytes, size } };
    case 'lost': {
      const time =
        deletedAt === null ? ({ code: 'unknown_time', params: {} } as const) : formatTime(deletedAt);
      return { code: 'evidence_deleted_there', params: { site, time } };
    }
    case 'failed':
      return { code: 'evidence_failed', params: { site, reason } };
  }
}
