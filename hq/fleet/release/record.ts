import type { ReleasePackage, SignedManifest } from '../../../common/uplink/upgrade/manifest.ts';

/** A package of a release. */
export interface KeptPackage extends ReleasePackage {
  /** When all of it was here; null: it is not. */
  storedAt: number | null;
}

export interface Release {
  version: string;
  document: SignedManifest;
  addedBy: string;
  addedAt: number;
  /** In the order of the manifest. */
  packages: KeptPackage[];
  /** Whether a rollout that is not over needs it. */
  inUse: boolean;
}
