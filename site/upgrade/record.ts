import * as z from 'zod/mini';
import type { Message } from '../../common/message.ts';
import type { Architecture } from '../../common/uplink/upgrade/manifest.ts';
import type { UpgradeItem, UpgradeStep } from '../../common/uplink/upgrade/record.ts';

/** What runs here. `architecture` null: it did not come as a package, and nothing can exchange it. */
export interface Running {
  version: string;
  architecture: Architecture | null;
}

/** The version that headquarters wants here, and how far it is, as the store of the site has it. */
export interface KeptUpgrade {
  item: UpgradeItem;
  /** What headquarters has told since; it waits until what is being installed has ended. */
  next: UpgradeItem | null;
  step: UpgradeStep;
  /** When it came to this step, epoch ms by the clock of the site. */
  since: number;
  runs: Running;
  /** The version that is wanted; null: none is, or the document cannot be read. */
  version: string | null;
  /** Bytes of the package that are here, as headquarters was told last, and all of them. */
  fetched: number;
  size: number;
  /** Times that the package was here whole and was not what was signed. */
  wrong: number;
  reason: Message | null;
}

/** What a person at the site is shown of it. */
export interface ShownUpgrade extends Pick<
  KeptUpgrade,
  'step' | 'since' | 'version' | 'fetched' | 'size' | 'reason'
> {
  by: string;
}

/**
 * What the part of the system that installs says of an upgrade: the newest alone, in a file that it
 * alone can change.
 */
export const installReport = z.object({
  /** Of the item of headquarters that it is about. */
  no: z.int().check(z.minimum(1)),
  step: z.enum(['installing', 'installed', 'taken_back', 'refused', 'stuck']),
  reason: z.nullable(z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) })),
  /** Epoch ms. */
  at: z.int(),
});
export type InstallReport = z.infer<typeof installReport>;

/** What is handed over to be installed: a file beside the package and its document, written last. */
export const wantedForm = z.object({ no: z.int().check(z.minimum(1)), at: z.int() });
export type Wanted = z.infer<typeof wantedForm>;

/** What the program that runs says of itself, for whoever has installed it. */
export const aliveForm = z.object({
  version: z.string().check(z.maxLength(64)),
  pid: z.int(),
  wrote: z.boolean(),
  reached: z.boolean(),
});
export type Alive = z.infer<typeof aliveForm>;

/** Names of the files that are handed over, in the folder of the daemon. */
export const HANDED = { package: 'package.deb', document: 'release.json', wanted: 'wanted' } as const;
export const ALIVE_FILE = 'alive.json';
export const REPORT_FILE = 'report.json';
/** Characters of each of these at most, the package apart. */
export const MAX_NOTE = 64 * 1024;
