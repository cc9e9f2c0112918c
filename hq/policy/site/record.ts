import type { Message } from '../../../common/message.ts';
import { rankOf } from '../../../common/policy/level.ts';

/**
 * Levels up to which policies go to sites. Nobody's clearance is known there, so that none goes down which
 * needs a grant at headquarters.
 */
export const siteLevels = ['none', 'public', 'internal'] as const;
export type SiteLevel = (typeof siteLevels)[number];
/** Highest rank that goes down; null: none does. */
export const siteRank = (level: SiteLevel): number | null => (level === 'none' ? null : rankOf(level));

/** `waiting`: the site has not said yet that it has it. `refused`: it does not take it. */
export const siteLibraryStates = ['waiting', 'here', 'refused'] as const;
export type SiteLibraryState = (typeof siteLibraryStates)[number];

/** The library of a tenant at a site. */
export interface SiteLibrary {
  tenantCode: string;
  instance: string;
  state: SiteLibraryState;
  /** That the site is to have, and since when. */
  version: string;
  since: number;
  /** That it said it has; null: none yet. */
  held: string | null;
  heldAt: number | null;
  /** That the site said it has, and how many it is to have now. */
  files: number;
  filesDue: number;
  clauses: number;
  reason: string | null;
  told: Message | null;
}
