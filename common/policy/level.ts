// How confidential a policy file or knowledge object is.

/** Lowest first; the index is the rank. */
export const securityLevels = ['public', 'internal', 'confidential', 'secret'] as const;
export type SecurityLevel = (typeof securityLevels)[number];

/** Rank of accounts never granted, and of files and objects that name no level. */
export const DEFAULT_LEVEL: SecurityLevel = 'internal';
export const rankOf = (level: SecurityLevel): number => securityLevels.indexOf(level);
export const HIGHEST_RANK = securityLevels.length - 1;

export function levelOf(rank: number): SecurityLevel {
  const level = securityLevels[rank];
  if (level === undefined) throw new Error(`${rank} is no rank of a security level`);
  return level;
}
