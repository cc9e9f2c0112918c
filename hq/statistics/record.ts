import type { VerdictValue } from '../../common/core/verdict/schema.ts';

/** The verdict as it stands: the last correction, or else the first verdict. */
export type Standing = VerdictValue | 'none';

/** How many events stand as what. */
export type Standings = Record<Standing, number>;

/** An hour of UTC; only that part of it which lies in the window is counted. */
export interface HourCount extends Standings {
  /** Start, epoch ms. */
  at: number;
}

export interface Place {
  cameraRef: string | null;
  siteRef: string | null;
  /** The site where it stands; null: at headquarters. */
  instance: string | null;
}
export type CameraCount = Place & Standings;

/** How long something took, ms. */
export interface Waits {
  count: number;
  /** null while there is none. */
  median: number | null;
  /** Nine of ten took no longer. */
  ninetieth: number | null;
}

export interface Times {
  /** From an alert, as it was received, to the first verdict of a person. */
  verdict: Waits;
  /** From a task, as it was created, to its takeover. */
  takeover: Waits;
  /** From a task, as it was created, to its completion. */
  completion: Waits;
}
