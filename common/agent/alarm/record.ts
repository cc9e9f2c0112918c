/** How bad an alarm of the installation is. */
export type AlarmSeverity = 'warning' | 'critical';

/** The tenant of channels that are the operators', and of what goes through them: no tenant has this code. */
export const OPERATORS = '';

/** Which alarms of the installation a channel takes, and when. */
export interface AlarmTaking {
  /** The least severity. */
  from: AlarmSeverity;
  /** An alarm that nobody has taken over is told again after this; 0: it is told once. */
  repeatMinutes: number;
  quiet: QuietHours | null;
}

/** Hours of each day in which nothing is told; what stands afterwards is told then. */
export interface QuietHours {
  /** As HH:MM, by the clock of the zone; an end before the begin is on the next day. */
  begin: string;
  end: string;
  /** IANA name of a time zone. */
  zone: string;
  /** Critical alarms are told nonetheless. */
  criticalThrough: boolean;
}

/** What a channel was told, of an alarm that stands as far as it knows. */
export interface AlarmNotice {
  channelId: string;
  instance: string;
  key: string;
  severity: AlarmSeverity;
  message: string;
  messageZh: string | null;
  /** When it began; one that has begun again is another. */
  raisedAt: number;
  toldAt: number;
}

/**
 * What one message of a channel changes. `before`: when the channel was told last, null: it was not;
 * `after` null: it knows of its end.
 */
export interface NoticeChange {
  alarm: Pick<AlarmNotice, 'channelId' | 'instance' | 'key'>;
  before: number | null;
  after: AlarmNotice | null;
}
