import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import type { Logger } from '../../common/log.ts';
import type { EvidenceSender } from './evidence/sender.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { NotificationHandover } from './notification/sender.ts';
import type { UplinkStore } from './port.ts';
import type { Probe } from './probe.ts';

/** What a sender is made of, but for what the sender itself is asked for. */
export interface SenderOptions {
  store: UplinkStore;
  /** What headquarters has for this site. */
  inbox: Inbox;
  /** What travels beside the channels. */
  evidence: Pick<EvidenceSender, 'answered'>;
  notifications: Pick<NotificationHandover, 'answered'>;
  client: HttpClient;
  /** For the one call that headquarters holds. */
  pollClient: HttpClient;
  /** Read for each request. @throws Error that says why it cannot be read */
  key: () => SigningKey;
  /** Address of headquarters, CORE_UPLINK_URL. */
  url: string;
  instance: string;
  version: string;
  /** Longest that headquarters is asked to hold that call, ms; as long as it may unless given. */
  holdMs?: number;
  /** CORE_UPLINK_INTERVAL_MS; default 3000. */
  interval?: number;
  /** CORE_UPLINK_BATCH; default 200, at most 1000. */
  batch?: number;
  clock: Clock;
  log: Logger;
  alarms: AlarmPort;
  random?: () => number;
  /** Opens a TCP connection to headquarters; null when it opened. */
  probe?: Probe;
}
