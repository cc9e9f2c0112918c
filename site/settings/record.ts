import type { Message } from '../../common/message.ts';
import type { SettingInUse, SettingsItem, SettingsOutcome } from '../../common/uplink/settings/record.ts';

/** Settings of headquarters that were accepted here. */
export interface Draft extends SettingsItem {
  /** The site has been through a whole start with them. */
  proved: boolean;
}

export interface ValueFault {
  name: string;
  told: Message;
}

/** What headquarters is told of the version that it named last. */
export interface ToldSettings extends SettingsItem {
  state: SettingsOutcome;
  /** When it came to this, epoch ms by the clock of the site; `at` is that of headquarters. */
  since: number;
  faults: ValueFault[];
  /** Why it was taken back. */
  reason: Message | null;
}

/** What a person at the site is shown of them. */
export interface ShownSettings extends Pick<ToldSettings, 'version' | 'by' | 'state' | 'since'> {
  /** Of the variables whose value is that of headquarters. */
  inUse: Pick<SettingInUse, 'name' | 'value'>[];
}

/**
 * Settings of headquarters as the store of the site has them. `trial`: `inForce` is in use, and headquarters
 * was not reached since; whatever ends the program then brings back `before`. `starting`: the first start
 * with `inForce` is under way; what ends it before it is over brings back `before` as well.
 */
export interface KeptSettings {
  /** null: headquarters has set nothing. */
  inForce: Draft | null;
  /** What to go back to, until `inForce` is proved. */
  before: Draft | null;
  stage: 'rest' | 'trial' | 'starting';
  /** null: headquarters has named none yet, and is told of nothing. */
  told: ToldSettings | null;
  /** What is in use of each variable that can be set from headquarters, as it was told last. */
  inUse: SettingInUse[];
}
