import type { Fault } from '../../common/http/fault/fault.ts';
import { faultAt } from './plan-fault-messages.ts';
import type { PictureType, Pin } from './record.ts';

const starts = (bytes: Buffer, at: number, signature: readonly number[]): boolean =>
  bytes.subarray(at, at + signature.length).equals(Buffer.from(signature));

/**
 * By its first bytes: what a caller says of a file is not believed, since browsers of others show it.
 * @returns null for anything but a picture that every browser shows and none runs
 */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  if (starts(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (starts(bytes, 0, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  const webp = starts(bytes, 0, [0x52, 0x49, 0x46, 0x46]) && starts(bytes, 8, [0x57, 0x45, 0x42, 0x50]);
  return webp ? 'image/webp' : null;
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
