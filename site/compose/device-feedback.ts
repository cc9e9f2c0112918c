import type { CarryFeedback } from '../../common/core/feedback/sender.ts';
import { failureText } from '../../common/core/feedback/failure.ts';
import { SecretError } from '../../common/secret/secret.ts';
import type { Place } from '../intake/connection/session.ts';
import type { ShownPasswords } from '../intake/device/password.ts';
import type { Device } from '../intake/record.ts';
import type { Base } from './base.ts';

/** Tells devices what was judged of their alarms that take it in a form of their own: Frigate. */
export const feedbackToDevices =
  (
    { config }: Pick<Base, 'config'>,
    { shown, deviceOf }: { shown: ShownPasswords; deviceOf: (keyId: string) => Device | undefined },
  ): CarryFeedback =>
  async (record, { signal, timeoutMs }) => {
    const device = record.nodeKey === null ? undefined : deviceOf(record.nodeKey);
    if (device?.kind !== 'frigate') return null;
    const { tellFrigate } = await import('../intake/frigate/verdict.ts');
    const { openSocket } = await import('../intake/connection/socket.ts');
    const rules = { networks: config.feedbackNetworks, tls: device.config, signal };
    try {
      const password = await shown.open(device);
      const session = { device, password, signal, socket: (place: Place) => openSocket(place, rules) };
      return { error: await tellFrigate(record, session, timeoutMs) };
    } catch (error) {
      if (error instanceof SecretError) return { error: failureText('not sent', error.message) };
      throw error;
    }
  };
