import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import type { Networks } from '../../../common/http/outbound/address.ts';
import { TransportError } from '../../../common/http/outbound/client.ts';
import { SecretError } from '../../../common/secret/secret.ts';
import { ConnectionFault } from '../connection/fault.ts';
import type { Endpoint, Session } from '../connection/session.ts';
import type { ShownPasswords } from '../device/password.ts';
import { driverOf } from '../drivers.ts';
import type { Device, Picture } from '../record.ts';
import type { DeviceRooms } from '../room.ts';

/** For all calls together, ms: a person waits. */
const WITHIN_MS = 20_000;
const MAX_PICTURE = 8 * 1024 * 1024;

export interface PictureNowParts {
  shown: ShownPasswords;
  rooms: DeviceRooms;
  deviceOf: (keyId: string) => Device | undefined;
  /** Where devices may be. */
  networks: Networks;
}

/** `kind`: devices of this kind cannot be asked, or this one is not connected to. */
export type PictureNow =
  | { picture: Picture }
  | { unable: 'no_device' }
  | { unable: 'kind'; kind: string }
  | { unable: 'failed'; reason: string };

/** What a device shows now, asked for by a connection of its own; nothing of it is stored. */
export async function pictureNow(
  { shown, rooms, deviceOf, networks }: PictureNowParts,
  keyId: string,
  stop: AbortSignal,
): Promise<PictureNow> {
  const device = deviceOf(keyId);
  if (!device) return { unable: 'no_device' };
  const { snapshot } = driverOf(device.kind);
  if (!snapshot || device.config.address === undefined) return { unable: 'kind', kind: device.kind };
  const { openSocket } = await import('../connection/socket.ts');
  const signal = AbortSignal.any([stop, AbortSignal.timeout(WITHIN_MS)]);
  const room = rooms.open();
  try {
    const session: Session = {
      ...{ device, signal, password: await shown.open(device), ...UNHEARD },
      socket: (place: Endpoint) => openSocket(place, { networks, tls: device.config, signal }),
      hold: (bytes: number) => room.take(bytes, signal),
      free: (bytes: number) => room.give(bytes),
    };
    return await asked(session, await snapshot());
  } catch (error) {
    if (signal.aborted && !stop.aborted) return { unable: 'failed', reason: 'no picture came in time' };
    const told =
      error instanceof ConnectionFault || error instanceof TransportError || error instanceof SecretError;
    if (!told) throw error;
    return { unable: 'failed', reason: error.message };
  } finally {
    room.close();
  }
}

async function asked(
  session: Session,
  pathOf: (session: Session) => Promise<string | null>,
): Promise<PictureNow> {
  const path = await pathOf(session);
  if (path === null) return { unable: 'failed', reason: 'it names no address of a picture' };
  const { DeviceHttp } = await import('../connection/http.ts');
  const { status, body } = await new DeviceHttp(session).send({ path, maxAnswer: MAX_PICTURE });
  const contentType = status === 200 ? pictureType(body) : null;
  if (contentType) return { picture: { name: 'picture', contentType, bytes: body } };
  const reason = status === 200 ? 'what it answered is no picture' : `it answered with status ${status}`;
  return { unable: 'failed', reason };
}

/** What is told beside the picture, such as the clock of the device, is nothing that came by itself. */
const UNHEARD = {
  now: () => Date.now(),
  connected: () => undefined,
  alive: () => undefined,
  take: () => Promise.resolve(),
  away: () => undefined,
  pictureLost: () => undefined,
} as const;
