import type { UpgradeState } from '../../../common/uplink/change/upgrade.ts';
import type { SignedManifest } from '../../../common/uplink/upgrade/manifest.ts';
import type { UpgradeHours } from '../../../common/uplink/upgrade/record.ts';

/**
 * `waiting`: the site has not said yet that it knows of it. `taken`: it is at it. `over`: nothing more
 * comes of it.
 */
export type DirectiveState = 'waiting' | 'taken' | 'over';

/** What headquarters wants of one site, the newest alone. */
export interface SiteUpgrade {
  instance: string;
  /** Ascending at a site; 0: nothing was wanted yet. */
  no: number;
  /** null: nothing is wanted any more. */
  version: string | null;
  document: SignedManifest | null;
  hours: UpgradeHours;
  state: DirectiveState;
  by: string;
  at: number;
  /** Which rollout gave it; null: none that is known here. */
  rolloutId: string | null;
  /** What the site said of it last; null: nothing yet. */
  told: UpgradeState | null;
}

export type Directive = Pick<SiteUpgrade, 'version' | 'document' | 'hours' | 'by' | 'rolloutId'>;
