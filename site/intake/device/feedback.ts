import { failureText } from '../../../common/core/feedback/failure.ts';
import type { CarryFeedback } from '../../../common/core/feedback/sender.ts';
import type { Networks } from '../../../common/http/outbound/address.ts';
import { SecretError } from '../../../common/secret/secret.ts';
import type { Endpoint } from '../connection/session.ts';
import { driverOf } from '../drivers.ts';
import type { Device } from '../record.ts';
import type { DeviceRooms } from '../room.ts';
import type { ShownPasswords } from './password.ts';

export interface FeedbackParts {
  shown: ShownPasswords;
  rooms: DeviceRooms;
  deviceOf: (keyId: string) => Device | undefined;
  /** Where devices may be. */
  networks: Networks;
}

/** Tells devices what was judged of their alarms that take it in a form of their own. */
export const feedbackToDevices =
  ({ shown, deviceOf, rooms, networks }: FeedbackParts): CarryFeedback =>
  async (record, { signal, timeoutMs }) => {
    const device = record.nodeKey === null ? undefined : deviceOf(record.nodeKey);
    const feedback = device && driverOf(device.kind).feedback;
    if (!feedback) return null;
    const tell = await feedback();
    const { openSocket } = await import('../connection/socket.ts');
    const rules = { networks, tls: device.config, signal };
    const room = rooms.open();
    try {
      const password = await shown.open(device);
      const session = {
        device,
        password,
        signal,
        socket: (place: Endpoint) => openSocket(place, rules),
        hold: (bytes: number) => room.take(bytes, signal),
        free: (bytes: number) => room.give(bytes),
      };
      return { error: await tell(record, session, timeoutMs) };
    } catch (error) {
      if (error instanceof SecretError) return { error: failureText('not sent', error.message) };
      throw error;
    } finally {
      room.close();
    }
  };
