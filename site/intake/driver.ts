import type { IncomingHttpHeaders } from 'node:http';
import type { FeedbackRecord } from '../../common/core/feedback/record.ts';
import type { Language } from '../../common/message.ts';
import type { Connector, Session } from './connection/session.ts';
import type { DeviceConfig, Part, Reading } from './record.ts';

/** What a message brought beside its parts. */
export interface Envelope {
  headers: IncomingHttpHeaders;
}

/**
 * How devices of one kind speak. A source has no state and does no I/O: the same message gives the same
 * readings.
 */
export interface Source {
  /** First word of idempotency keys, and of event types that no table has. */
  vendor: string;
  parse(parts: readonly Part[], config: DeviceConfig, envelope: Envelope): Reading[];
}

/** Which settings devices of one kind take. */
export interface DriverSettings {
  /** They are connected to, at addresses of these schemes; `only`: they never post. Left out: they post. */
  address?: { schemes: readonly string[]; only: boolean };
  /** They are listened to by way of a broker, under a prefix of topics or by a filter of them. */
  topic?: 'prefix' | 'filter';
  /** They have an API of their own beside what is listened to. */
  api?: boolean;
  /** The sender's members are named in the settings. */
  fields?: boolean;
}

/** The part of a connection that telling a device needs. */
export type TellingSession = Pick<Session, 'device' | 'password' | 'signal' | 'socket' | 'hold' | 'free'>;

/**
 * Tells a device what was judged of its alarm, in a form of its own.
 * @returns what went wrong, as it is kept; null when it is told
 */
export type TellDevice = (
  record: Pick<FeedbackRecord, 'url' | 'body'>,
  session: TellingSession,
  timeoutMs: number,
) => Promise<string | null>;

/**
 * Where a device has the picture of its first channel; null: it names none.
 * @throws ConnectionFault
 */
export type SnapshotPath = (session: Session) => Promise<string | null>;

/** All that is known of one kind of device. Its code is loaded when the first such device is there. */
export interface Driver {
  settings: DriverSettings;
  /** Where a person sets it up in the device: one that posts, and one that is connected to. */
  menu: Partial<Record<'posts' | 'pulled', Record<Language, string>>>;
  source: () => Promise<Source>;
  connector?: () => Promise<Connector>;
  feedback?: () => Promise<TellDevice>;
  /** Devices that are connected to can be asked for a picture. */
  snapshot?: () => Promise<SnapshotPath>;
}
