import type { SettingsPort, SettingsTrace } from '../../../settings/port.ts';
import type { KeptSettings } from '../../../settings/record.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import type { Meta } from '../../engine/meta.ts';
import type { SiteAudit } from '../audit.ts';
import type { ChangeLog } from './change-log.ts';
import { keptOf } from './settings-row.ts';

/** What headquarters has set, on SQLite: one value, and one thing of the log. */
export class SiteSettings implements SettingsPort {
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

  read(): KeptSettings {
    return keptOf(this.#meta.text('settings'));
  }

  keep(next: KeptSettings, trace: SettingsTrace | null, now: number): Promise<void> {
    return this.#group.write(() => {
      this.#meta.set('settings', JSON.stringify(next));
      if (trace) this.#audit.insert({ ...trace, subject: 'settings', tenantCode: null });
      if (next.told) this.#changes.changed({ kind: 'settings', id: 1, eventId: 0, eventKey: null }, now);
    });
  }
}
