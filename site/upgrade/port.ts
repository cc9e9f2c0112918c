import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { KeptUpgrade } from './record.ts';

/** What came of an upgrade, for the audit. */
export type UpgradeTrace = Pick<AuditEntry, 'id' | 'at' | 'actor' | 'action' | 'before' | 'after'>;

export interface UpgradePort {
  /** As it is durable; null: headquarters has wanted no version here. */
  read(): KeptUpgrade | null;
  /**
   * Keeps it, with an entry of the audit, and what headquarters is to be told of it, in one transaction.
   * @param trace null: nothing happened that a person asks for later
   */
  keep(next: KeptUpgrade, trace: UpgradeTrace | null, now: number): Promise<void>;
}
