import { eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { SettingsState } from '../../../../common/uplink/change/settings.ts';
import { NO_SETTINGS, settingsItemOf } from '../../../settings/decide.ts';
import type { SettingsPort, SettingsTrace } from '../../../settings/port.ts';
import type { KeptSettings } from '../../../settings/record.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import type { Meta } from '../../engine/meta.ts';
import { meta } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';
import type { ChangeLog } from './change-log.ts';

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
    const text = this.#meta.text('settings');
    return text === null ? NO_SETTINGS : (JSON.parse(text) as KeptSettings);
  }

  keep(next: KeptSettings, trace: SettingsTrace | null, now: number): Promise<void> {
    return this.#group.write(() => {
      this.#meta.set('settings', JSON.stringify(next));
      if (trace) this.#audit.insert({ ...trace, subject: 'settings', tenantCode: null });
      if (next.told) this.#changes.changed({ kind: 'settings', id: 1, eventId: 0, eventKey: null }, now);
    });
  }
}

/** What goes up of them under a number; null: headquarters has named none. */
export function readSettings(orm: BetterSQLite3Database, changeNo: number): SettingsState | null {
  const kept = orm.select().from(meta).where(eq(meta.key, 'settings')).get();
  return kept === undefined ? null : settingsItemOf(JSON.parse(kept.value) as KeptSettings, changeNo);
}
