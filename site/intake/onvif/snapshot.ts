import type { SnapshotPath } from '../driver.ts';
import { clientOf, servicesOf } from './device.ts';
import { sourcesOf } from './media.ts';

/** Where the device has the picture of its first video source. */
export const onvifSnapshot: SnapshotPath = async (session) => {
  const client = clientOf(session);
  await client.setClock();
  const { snapshots } = await sourcesOf(client, await servicesOf(client));
  return Object.values(snapshots)[0] ?? null;
};
