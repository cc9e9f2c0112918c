// How much may be stored, and what a short disk means. Pure.

const MIB = 1024 ** 2;

/** Bytes, as measured. */
export interface Sizes {
  /** Size of the file system that holds the data. */
  totalBytes: number;
  /** What of the file system this program may still fill. */
  freeBytes: number;
  dbBytes: number;
  /** Pages within `dbBytes` that are free: later rows fill them. */
  dbFreeBytes: number;
  walBytes: number;
  /** What of `walBytes` the next checkpoint copies into the database. */
  walInUse: number;
  evidenceBytes: number;
  /** CORE_STORAGE_LIMIT; null: what the disk has. */
  limit: number | null;
}

export type DiskLevel = 'ok' | 'short' | 'full';

export interface Budget {
  /**
   * What is used and what may still be added. It is never measured by free space alone, so that a full store
   * opens again after a restart.
   */
  capacity: number;
  used: number;
  /** Left alone, for the WAL, verdicts and the uplink when intake is already refused. */
  reserve: number;
  /** Bytes that events and files may still take; below 0 the reserve is in use. */
  room: number;
  /** With less room than this things are deleted until there is `high`. */
  low: number;
  high: number;
  level: DiskLevel;
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** @param refusing whether intake is refused now: it is taken again only with half of `low` free */
export function budgetOf(sizes: Sizes, refusing: boolean): Budget {
  const reserve = Math.round(
    Math.min(clamp(sizes.totalBytes * 0.05, 8 * MIB, 256 * MIB), sizes.totalBytes * 0.2),
  );
  const used = sizes.dbBytes - sizes.dbFreeBytes + sizes.walBytes + sizes.evidenceBytes;
  const onDisk = sizes.freeBytes - reserve + sizes.dbFreeBytes - sizes.walInUse;
  const room = Math.round(sizes.limit === null ? onDisk : Math.min(onDisk, sizes.limit - used));
  const capacity = Math.max(0, used + room);
  const low = Math.round(clamp(capacity * 0.05, MIB, 256 * MIB));
  const full = room <= 0 || (refusing && room < low / 2);
  return {
    capacity,
    used,
    reserve,
    room,
    low,
    high: 2 * low,
    level: full ? 'full' : room < low ? 'short' : 'ok',
  };
}

/**
 * The room below which evidence that exists nowhere else is deleted, and what is made then: before events are
 * refused, and after what there is in between was given to the link to bring it away.
 */
export const lossBounds = ({ low }: Budget): { below: number; upTo: number } => ({
  below: low / 2,
  upTo: low,
});

/** What was deleted for want of room, since ever. */
export interface EvictionCounts {
  /** Files that headquarters holds. */
  evidence: number;
  evidenceBytes: number;
  observations: number;
  events: number;
  /** Files that existed nowhere else. */
  lost: number;
  lostBytes: number;
}

/** From when the disk was short to when it no longer was. */
export interface Episode {
  startedAt: number;
  /** Kept when it began. */
  total: { evidence: number; events: number };
  /** Deleted since. */
  gone: { evidence: number; events: number };
  /** Halves that may go: one, and one more for each confirmation of a person. */
  allowed: number;
}

export interface DiskState {
  counts: EvictionCounts;
  episode: Episode | null;
  /** The guard stopped the sweep in this episode at this time. */
  guardSince: number | null;
  /** Deleted things of which a person was told; those that are lost apart. */
  told: number;
  toldLost: number;
}

export const emptyDisk: DiskState = {
  counts: { evidence: 0, evidenceBytes: 0, observations: 0, events: 0, lost: 0, lostBytes: 0 },
  episode: null,
  guardSince: null,
  told: 0,
  toldLost: 0,
};

/** How many more of a kind this episode may delete: never more than half of what there was, unless told. */
export function allowance({ total, gone, allowed }: Episode, kind: 'evidence' | 'events'): number {
  return Math.max(0, Math.floor((total[kind] * allowed) / 2) - gone[kind]);
}

export function withEvicted(state: DiskState, shed: Partial<EvictionCounts>): DiskState {
  const { counts, episode } = state;
  const evidence = shed.evidence ?? 0;
  const lost = shed.lost ?? 0;
  const events = (shed.events ?? 0) + (shed.observations ?? 0);
  return {
    ...state,
    counts: {
      evidence: counts.evidence + evidence,
      evidenceBytes: counts.evidenceBytes + (shed.evidenceBytes ?? 0),
      observations: counts.observations + (shed.observations ?? 0),
      events: counts.events + (shed.events ?? 0),
      lost: counts.lost + lost,
      lostBytes: counts.lostBytes + (shed.lostBytes ?? 0),
    },
    episode: episode && {
      ...episode,
      gone: { evidence: episode.gone.evidence + evidence + lost, events: episode.gone.events + events },
    },
  };
}
