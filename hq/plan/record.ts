/** A camera on a plan. */
export interface Pin {
  /** As the camera is named in its events. */
  cameraRef: string;
  /** From the left edge of the picture, as a share of its width, 0 to 1. */
  x: number;
  /** From its upper edge, as a share of its height, 0 to 1. */
  y: number;
}

/** With what people call the camera; null: they gave it no name. */
export interface NamedPin extends Pin {
  name: string | null;
}

/** With the names of its cameras, which are the same on every plan and everywhere else. */
export interface NamedPlan extends Omit<Plan, 'pins'> {
  pins: NamedPin[];
}

/** A drawing of a site, with where its cameras are. */
export interface Plan {
  id: string;
  tenantCode: string;
  /** The site. */
  instance: string;
  name: string;
  picture: PlanPicture;
  pins: Pin[];
  /** Epoch ms. */
  createdAt: number;
  updatedAt: number;
}

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

export interface PlanPicture {
  contentType: PictureType;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** Bytes of a picture: in base64 as much as a text of a body may have, and what a telephone should load. */
export const MAX_PICTURE = 760 * 1024;
/** Of one site and tenant. */
export const MOST_PLANS = 50;
export const MOST_PINS = 500;
