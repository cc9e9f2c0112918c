import type * as z from 'zod/mini';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import type { Device } from '../record.ts';
import { type ConnectionView, type deviceView, settingsOf } from '../schema.ts';
import type { DeviceStates } from './state.ts';

export interface DeviceFacts {
  states: DeviceStates;
  /** How it stands with a device that is connected to; null for one that posts. */
  connectionOf: (keyId: string) => ConnectionView | null;
}

/** A device as the API shows it, with what was heard of it. */
export function deviceViewOf(
  device: Device,
  { states, connectionOf }: DeviceFacts,
): z.infer<typeof deviceView> {
  const state = states.of(device.keyId);
  const { refusal } = state;
  return {
    keyId: device.keyId,
    kind: device.kind,
    tenantCode: device.tenantCode,
    name: device.name,
    settings: settingsOf(device.config),
    createdAt: formatTime(device.createdAt),
    heardAt: formatTimeOrNull(state.heardAt),
    messages: state.messages,
    heartbeats: state.heartbeats,
    stored: state.stored,
    repeated: state.repeated,
    ended: state.ended,
    doubtful: state.doubtful,
    unreadable: state.unreadable,
    picturesLost: state.picturesLost,
    unknownTypes: Object.fromEntries(state.unknownTypes),
    connection: connectionOf(device.keyId),
    clockOffSeconds: Math.round(state.clockOffMs / 1000),
    refusal: refusal && { ...refusal, at: formatTime(refusal.at) },
  };
}
