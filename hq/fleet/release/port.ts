import type { Stamp } from '../../../common/clock.ts';
import type {
  Architecture,
  ReleasePackage,
  SignedManifest,
} from '../../../common/uplink/upgrade/manifest.ts';
import type { Release } from './record.ts';

export interface NewRelease {
  version: string;
  document: SignedManifest;
  packages: readonly ReleasePackage[];
  /** Who adds it, as people are shown. */
  by: string;
}

/** A package that a site is to have. */
export interface WantedPackage {
  version: string;
  sha256: string;
  size: number;
}

/** What an entry of the audit says of who did it and when. */
export interface By {
  actor: string;
  stamp: Stamp;
}

/** Releases; each method is one transaction, with its entry of the audit. */
export interface ReleasePort {
  /** @returns `other`: the version has another document */
  add(release: NewRelease, by: By): Promise<'added' | 'there' | 'other'>;
  get(version: string): Promise<Release | null>;
  /** Newest first. @param after of the page before */
  list(after: { addedAt: number; version: string } | null, limit: number): Promise<Release[]>;
  /** All of a package is here. @returns false: the release is not there any more */
  stored(version: string, architecture: Architecture, by: By): Promise<boolean>;
  /** @returns what was removed; `in_use`: by a rollout that is not over; null: there is none */
  remove(version: string, by: By): Promise<Release | 'in_use' | null>;
  /** A package that is here, and that this site was told to have; null: it was not. */
  wanted(instance: string, sha256: string): Promise<WantedPackage | null>;
}
