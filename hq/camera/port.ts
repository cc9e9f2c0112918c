import type { Stamp } from '../../common/clock.ts';

/** A name that people gave a camera. */
export interface CameraName {
  tenantCode: string;
  /** Where it is. */
  instance: string;
  /** As its events name it. */
  cameraRef: string;
  name: string;
}

/** Names of one tenant at one instance. */
export const MOST_NAMES = 2_000;

/** Names of cameras. Changes are audited on `camera:<instance>/<ref>` as `camera.named`. */
export interface CameraNamePort {
  /** By tenant, instance and camera. @param tenantCode null: of every tenant */
  list(tenantCode: string | null): Promise<CameraName[]>;
  /** @param camera with its name from now on; null: as its events name it @returns false: too many */
  give(
    camera: Omit<CameraName, 'name'> & { name: string | null },
    actor: string,
    stamp: Stamp,
  ): Promise<boolean>;
}
