/** A camera, as its events name it. */
export interface CameraAt {
  tenantCode: string;
  /** null: at the instance that is asked. */
  instance: string | null;
  cameraRef: string | null;
}

/** The names that people gave cameras. */
export interface CameraBook {
  /** null: they gave it none. */
  called(camera: CameraAt): string | null;
  /** Whether a word, in lower case, stands in any of the names. */
  hasAny(words: readonly string[]): boolean;
}

/** Gives it as it stands now. */
export type CameraNames = () => Promise<CameraBook>;

const EMPTY: CameraBook = { called: () => null, hasAny: () => false };

/** Where nobody gives cameras names. */
export const noCameraNames: CameraNames = () => Promise.resolve(EMPTY);
