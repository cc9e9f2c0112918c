// How what is wanted of a site stands. Pure.
import type { UpgradeState } from '../../../common/uplink/change/upgrade.ts';
import { ENDED_STEPS } from '../../../common/uplink/upgrade/record.ts';
import type { Directive, SiteUpgrade } from './record.ts';

export const nothingWanted = (instance: string): SiteUpgrade => ({
  ...{ instance, no: 0, version: null, document: null, hours: { from: 0, until: 0 } },
  ...{ state: 'over', by: '', at: 0, rolloutId: null, told: null },
});

/** The next that is wanted of a site, in place of what was. */
export const directed = (before: SiteUpgrade, directive: Directive, at: number): SiteUpgrade => ({
  ...{ instance: before.instance, ...directive, at, state: 'waiting', told: null },
  no: Math.max(before.no, before.told?.no ?? 0) + 1,
});

/** What a site told. It may have a number that this database, put back from a copy, does not know. */
export function noted(before: SiteUpgrade, told: UpgradeState): SiteUpgrade {
  const state = ENDED_STEPS.includes(told.step) ? 'over' : 'taken';
  if (told.no === before.no) return { ...before, state, told };
  if (told.no < before.no) {
    // An older store of the site is to hear of this again; what has ended is not tried a second time.
    return before.state === 'taken' ? { ...before, state: 'waiting' } : before;
  }
  if (before.state === 'waiting') return { ...before, no: told.no + 1 };
  const { no, version } = told;
  return { ...before, no, version, document: null, state, rolloutId: null, told };
}

/** Whether an item before this one, which headquarters has taken back since, was begun all the same. */
export const begunBefore = (upgrade: SiteUpgrade, { no, step }: UpgradeState): boolean =>
  upgrade.version === null && no < upgrade.no && BEGUN.includes(step);

const BEGUN: readonly string[] = ['installing', 'installed', 'taken_back', 'stuck'];
