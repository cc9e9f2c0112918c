/** Five minutes of this site. While it does not run there are none. */
export interface Bucket {
  /** Begin, epoch ms. */
  at: number;
  received: number;
  /** Events that waited for headquarters at its end. */
  backlog: number;
  /** Bytes that could still be stored; null when unknown. */
  room: number | null;
}

export interface NodeActivity {
  keyId: string;
  /** Receipt of its newest event, epoch ms. */
  lastAt: number;
  events: number;
}

/** Of a camera that a node names in its events. */
export interface CameraActivity extends NodeActivity {
  cameraRef: string;
}

/** Cameras of a node that are kept apart, those heard last: what names more has a name for each event. */
export const MOST_CAMERAS_OF_NODE = 64;

export interface HistoryPort {
  /**
   * Counts what has come since the last call into the bucket at `at`, and forgets buckets before `keepSince`.
   */
  note(bucket: Omit<Bucket, 'received'>, keepSince: number): Promise<void>;
  since(at: number): Bucket[];
  nodes(): NodeActivity[];
  /** Those of each node that were heard last, at most `MOST_CAMERAS_OF_NODE`, the newest first. */
  cameras(): CameraActivity[];
}

export interface ClockMarks {
  /**
   * Marks the events with ids above `after` that were received here at `since` or later.
   * @param since epoch ms, by the clock as it was before the step
   * @returns how many
   */
  mark(after: number, since: number): Promise<number>;
}
