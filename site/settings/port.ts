import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { KeptSettings } from './record.ts';

/** What changes the settings, for the audit. */
export type SettingsTrace = Pick<AuditEntry, 'id' | 'at' | 'actor' | 'action' | 'before' | 'after'>;

export interface SettingsPort {
  /** As they are durable; `NO_SETTINGS` where headquarters has set none. */
  read(): KeptSettings;
  /**
   * Keeps them, with their audit entry, and what headquarters is to be told of them, in one transaction.
   * @param trace null: nothing was changed, but headquarters is to be told again
   */
  keep(next: KeptSettings, trace: SettingsTrace | null, now: number): Promise<void>;
}
