/** What an asker may be shown, decided before anything is ranked (spec 3, search step 1). */
export interface HardFilter {
  tenantCode: string;
  /** Highest rank that the asker may see. */
  maxRank: number;
  /** Epoch ms. */
  now: number;
  /** null: every source; an empty list: no source. */
  sources: readonly string[] | null;
}

export interface Condition {
  sql: string;
  values: bigint[];
}

/**
 * The one condition of every leg: the tables of files and of vectors have these columns alike, none of them
 * ever null.
 * @param sources numbers; null for all
 */
export function conditionOf(
  filter: { tenant: number; maxRank: number; now: number },
  sources: readonly number[] | null,
): Condition {
  const { tenant, maxRank, now } = filter;
  const bySource = sources === null ? '' : ` and source in (${sources.map(() => '?').join(', ')})`;
  return {
    sql: `tenant = ? and effective = 1 and level <= ? and valid_from <= ? and valid_until > ?${bySource}`,
    values: [tenant, maxRank, now, now, ...(sources ?? [])].map(BigInt),
  };
}
