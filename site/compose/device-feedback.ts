import { failureText } from '../../common/core/feedback/failure.ts';
import type { CarryFeedback } from '../../common/core/feedback/sender.ts';
import { SecretError } from '../../common/secret/secret.ts';
import type { Endpoint } from '../intake/connection/session.ts';
import type { ShownPasswords } from '../intake/device/password.ts';
import { driverOf } from '../intake/drivers.ts';
import type { Device } from '../intake/record.ts';
import type { DeviceRooms } from '../intake/room.ts';
import type { Base } from './base.ts';

export interface FeedbackParts {
  shown: ShownPasswords;
  rooms: DeviceRooms;
  deviceOf: (keyId: string) => Device | undefined;
}

/** Tells devices what was judged of their alarms that take it in a form of their own. */
export const feedbackToDevices =
  ({ config }: Pick<Base, 'config'>, { shown, deviceOf, rooms }: FeedbackParts): CarryFeedback =>
  async (record, { signal, timeoutMs }) => {
    const device = record.nodeKey === null ? undefined : deviceOf(record.nodeKey);
    const feedback = device && driverOf(device.kind).feedback;
    if (!feedback) return null;
    const tell = await feedback();
    const { openSocket } = await import('../intake/connection/socket.ts');
    const rules = { networks: config.feedbackNetworks, tls: device.config, signal };
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
