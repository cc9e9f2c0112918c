import { pictureType } from '../../common/core/evidence/picture-type.ts';
import type { Fault } from '../../common/http/fault/fault.ts';
import { faultAt } from './plan-fault-messages.ts';
import { type PictureType, pictureTypes, type Pin } from './record.ts';

/** @returns null for anything but a picture that every browser shows and none runs */
export function planPictureType(bytes: Buffer): PictureType | null {
  const found = pictureType(bytes);
  return pictureTypes.find((type) => type === found) ?? null;
}

/** A camera stands once on a plan. */
export function pinFaults(pins: readonly Pick<Pin, 'cameraRef'>[]): Fault[] {
  const seen = new Set<string>();
  return pins.flatMap(({ cameraRef }, at) => {
    if (seen.has(cameraRef)) return [faultAt(`pins[${at}].camera_ref`, 'plan_twice', { name: cameraRef })];
    seen.add(cameraRef);
    return [];
  });
}
