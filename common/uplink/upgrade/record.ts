/**
 * Which version headquarters wants at a site, shared by both ends (DESIGN.md, "Upgrades"). An item of the
 * inbox says all of it, whole: the newest replaces the one before, and one without a release means that
 * nothing more is to be begun. What the site has come to goes up as an `upgrade` of the log
 * (change/upgrade.ts), the newest state alone. The package itself is fetched in pieces beside the channels.
 */
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { LAST_CLOCK } from '../../time.ts';
import { signedManifest } from './manifest.ts';

/** Hours of the site's own clock in which it may install, [from, until); the same twice: at any hour. */
export const upgradeHours = z.object({
  from: z.int().check(z.minimum(0), z.maximum(23)),
  until: z.int().check(z.minimum(0), z.maximum(23)),
});
export type UpgradeHours = z.infer<typeof upgradeHours>;

/** Body of an item of the inbox. */
export const upgradeItem = z.object({
  /** Ascending at a site. */
  no: z.int().check(z.minimum(1)),
  /** null: nothing is wanted any more; what is not being installed yet stops. */
  release: z.nullable(signedManifest),
  hours: upgradeHours,
  by: z.string().check(upTo(256)),
  /** Epoch ms by the clock of headquarters. */
  at: z.int().check(z.minimum(0), z.maximum(LAST_CLOCK)),
});
export type UpgradeItem = z.infer<typeof upgradeItem>;

/**
 * How far a site is with what it was told last. `fetched`: it waits for its hours. `installing`: from here on
 * it goes through or back, whatever headquarters says. `installed`: the version ran, wrote and reached
 * headquarters. `taken_back`: the version before runs again. `refused`: nothing was tried. `stopped`:
 * headquarters wanted it no more before anything was tried. `stuck`: neither version runs as it should, and
 * the site goes on trying; it needs a look.
 */
export const upgradeSteps = [
  ...(['fetching', 'fetched', 'installing'] as const),
  ...(['installed', 'taken_back', 'refused', 'stopped', 'stuck'] as const),
] as const;
export type UpgradeStep = (typeof upgradeSteps)[number];

/** Steps after which nothing more comes of the item. */
export const ENDED_STEPS: readonly UpgradeStep[] = ['installed', 'taken_back', 'refused', 'stopped'];

/** Bytes of one piece of a package that a site asks for, at most. */
export const MAX_PACKAGE_PIECE = 1024 * 1024;

/** Answered with bytes from `offset` on, at most `bytes` of them; 404 for what the site is not to have. */
export const PACKAGE_PATH = '/api/core/uplink/releases/{sha256}';
export const packagePath = (sha256: string, offset: number, bytes: number): string =>
  `${PACKAGE_PATH.replace('{sha256}', sha256)}?offset=${offset}&bytes=${bytes}`;
