// How far a site is with the version that headquarters wants, on the way up: as it stands when it is sent.
import * as z from 'zod/mini';
import { clockTime, line, orNull, told } from '../item.ts';
import { upgradeSteps } from '../upgrade/record.ts';
import { count, id } from './names.ts';

export const upgradeState = z.object({
  change_no: id,
  kind: z.literal('upgrade'),
  /** Number of the item that the site was told last. */
  no: count,
  step: z.enum(upgradeSteps),
  /** The version that is wanted; null: none is. */
  version: orNull(line(64)),
  /** The version that runs, and the architecture of its packages; null: it did not come as a package. */
  runs: line(64),
  architecture: orNull(line(32)),
  /** Bytes of the package that are there, and all of them. */
  fetched: count,
  size: count,
  /** When it came to this, by the clock of the site. */
  at: clockTime,
  /** Why it was refused, taken back, or is stuck. */
  reason: orNull(line(4_000)),
  told,
});
export type UpgradeState = z.infer<typeof upgradeState>;
