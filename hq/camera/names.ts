import type { Clock } from '../../common/clock.ts';
import type { CameraBook, CameraNames } from '../../common/core/camera/record.ts';
import { kept } from '../receiver/site-names.ts';
import type { CameraName, CameraNamePort } from './port.ts';

/** The names that people gave cameras. @param own the instance of headquarters */
export function cameraNames(names: Pick<CameraNamePort, 'list'>, own: string, clock: Clock): CameraNames {
  return kept(clock, async () => bookOf(await names.list(null), own));
}

function bookOf(given: readonly CameraName[], own: string): CameraBook {
  const keyOf = (...of: [tenant: string, instance: string, camera: string]): string => JSON.stringify(of);
  const known = new Map(
    given.map(({ tenantCode, instance, cameraRef, name }) => [keyOf(tenantCode, instance, cameraRef), name]),
  );
  const lower = given.map(({ name }) => name.toLowerCase());
  return {
    called: ({ tenantCode, instance, cameraRef }) =>
      cameraRef === null ? null : (known.get(keyOf(tenantCode, instance ?? own, cameraRef)) ?? null),
    hasAny: (words) => lower.some((name) => words.some((word) => name.includes(word))),
  };
}
