import type { UpgradePort, UpgradeTrace } from '../../../upgrade/port.ts';
import type { KeptUpgrade } from '../../../upgrade/record.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import type { Meta } from '../../engine/meta.ts';
import type { SiteAudit } from '../audit.ts';
import type { ChangeLog } from './change-log.ts';
import { keptUpgradeOf } from './upgrade-row.ts';

/** The version that headquarters wants, on SQLite: one value, and one thing of the log. */
export class SiteUpgrade implements UpgradePort {
  #group: GroupCommit;
  #meta: Meta;
  #audit: SiteAudit;
  #changes: ChangeLog;

  constructor(group: GroupCommit, meta: Meta, audit: SiteAudit, changes: ChangeLog) {
    this.#group = group;
    this.#meta = meta;
    this.#audit = audit;
    this.#changes = changes;
  }

  read(): KeptUpgrade | null {
    return keptUpgradeOf(this.#meta.text('upgrade'));
  }

  keep(next: KeptUpgrade, trace: UpgradeTrace | null, now: number): Promise<void> {
    return this.#group.write(() => {
      this.#meta.set('upgrade', JSON.stringify(next));
      if (trace) this.#audit.insert({ ...trace, subject: 'upgrade', tenantCode: null });
      this.#changes.changed({ kind: 'upgrade', id: 1, eventId: 0, eventKey: null }, now);
    });
  }
}
