import type { Message } from '../../../common/message.ts';
import type { SignedManifest } from '../../../common/uplink/upgrade/manifest.ts';
import { type UpgradeHours, upgradeSteps } from '../../../common/uplink/upgrade/record.ts';

/** `done`: every site that could be reached is through. `aborted`: a person ended it before. */
export const rolloutStates = ['running', 'paused', 'done', 'aborted'] as const;
export type RolloutState = (typeof rolloutStates)[number];

/**
 * How far a site is in a rollout: as it told, or `planned`: its wave is to come. `waiting`: it has not heard
 * of it. `unable`: nor can it, as its version is too old to be upgraded from here. `already`: it ran the
 * version, or a newer one, without this rollout. `silent`: it began to install, and was not heard since.
 * `gone`: it was removed, or is of another tenant now. `left_out`: a person left it out. `stopping`: it is to
 * stop what it has not begun to install.
 */
export const siteSteps = [
  ...(['planned', 'waiting', 'unable', 'already', 'silent', 'gone', 'left_out', 'stopping'] as const),
  ...upgradeSteps,
] as const;
export type SiteStep = (typeof siteSteps)[number];

/** What becomes of sites that have failed: as they are; left out; or they try again. */
export const failedWays = ['as_they_are', 'leave_out', 'again'] as const;
export type FailedWay = (typeof failedWays)[number];

/** Which sites: one of the three. */
export interface RolloutTarget {
  all: boolean;
  group: string | null;
  sites: string[] | null;
}

/** When the next wave begins, and when a rollout pauses itself. */
export interface Caution {
  /** So long all must be well once a wave is through, minutes. */
  settleMinutes: number;
  /** In so many waves from the first one on no site may fail. */
  carefulWaves: number;
  /** Of a later wave, sites that may fail, percent. */
  failPercent: number;
  /** A site that was not heard for so long after it began to install has failed, minutes. */
  silentMinutes: number;
  /** Of a wave, sites that need not be through when the next one begins, percent, ... */
  restPercent: number;
  /** ... once so many hours have passed. */
  restHours: number;
}

export interface Rollout {
  id: string;
  boundTo: string | null;
  version: string;
  document: SignedManifest;
  target: RolloutTarget;
  hours: UpgradeHours;
  caution: Caution;
  state: RolloutState;
  waves: number;
  wave: number;
  waveAt: number;
  throughAt: number | null;
  startedBy: string;
  startedAt: number;
  changedBy: string | null;
  changedAt: number;
  reason: Message | null;
}

export interface RolloutSite {
  rolloutId: string;
  instance: string;
  place: number;
  wave: number;
  step: SiteStep;
  at: number;
  runs: string | null;
  fetched: number | null;
  size: number | null;
  reason: string | null;
  told: Message | null;
  excused: boolean;
}

/** A site as it is when a rollout is planned. */
export interface Candidate {
  instance: string;
  /** That it last called with; null: it has not called. */
  version: string | null;
  /** What it understands; null: it has not called. */
  features: readonly string[] | null;
  lastSeenAt: number | null;
}

export interface Planned {
  instance: string;
  /** From 0 on. */
  wave: number;
  step: 'planned' | 'already';
}

/** How far a wave goes: a number of sites, or a share of all. */
export const SHARE = /^(?:([1-9][0-9]{0,5})|(100|[1-9][0-9]?)%)$/;
