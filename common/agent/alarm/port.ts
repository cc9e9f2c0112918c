import type { NewNotification } from '../../core/notification/record.ts';
import type { AlarmNotice, NoticeChange } from './record.ts';

export interface AlarmNoticePort {
  list(): Promise<AlarmNotice[]>;
  /**
   * Writes the message and what the channel knows from then on, both or nothing. False: another process has
   * told it meanwhile.
   */
  tell(message: NewNotification, changes: readonly NoticeChange[]): Promise<boolean>;
  /** What channels knew that are no more, or take no alarms. @param channels those that do */
  forget(channels: readonly string[]): Promise<void>;
}
