import { AddressRefused } from '../../../common/http/outbound/address.ts';
import { TransportError, transportFault } from '../../../common/http/outbound/client.ts';
import { transportMessages } from '../../../common/http/outbound/transport-messages.ts';
import { type MessageOf, say } from '../../../common/message.ts';
import type { Condition } from '../record.ts';
import { TooMuchHeld } from '../room.ts';
import { connectionMessages } from './connection-messages.ts';

export const connectionTexts = { ...transportMessages, ...connectionMessages };
export type ConnectionMessage = MessageOf<typeof connectionTexts>;

/** Why there is no connection; its message is the fault in English. */
export class ConnectionFault extends Error {
  readonly fault: ConnectionMessage;

  constructor(fault: ConnectionMessage, cause?: unknown) {
    super(say(connectionTexts, fault, 'en'), cause === undefined ? undefined : { cause });
    this.name = 'ConnectionFault';
    this.fault = fault;
  }

  get condition(): Condition {
    return CONDITIONS[this.fault.code];
  }
}

/** What a code says of the connection. What no answer tells apart is `broken`. */
const CONDITIONS: Readonly<Record<ConnectionMessage['code'], Condition>> = {
  device_password_refused: 'refused',
  device_password_wanted: 'refused',
  device_password_unusable: 'refused',
  device_password_open: 'refused',
  device_right_missing: 'refused',
  device_path_unknown: 'broken',
  device_status: 'broken',
  device_redirects: 'broken',
  device_answer_wrong: 'broken',
  device_silent: 'silent',
  device_turn_over: 'broken',
  device_closed: 'connecting',
  device_certificate_unknown: 'tls',
  device_certificate_names: 'tls',
  device_certificate_changed: 'tls',
  device_topic_refused: 'broken',
  device_program_gone: 'unreachable',
  device_program_old: 'broken',
  device_clock_refused: 'clock',
  device_onvif_off: 'broken',
  device_onvif_right: 'refused',
  device_pullpoint_missing: 'broken',
  device_subscription_refused: 'broken',
  device_subscription_ended: 'broken',
  device_not_stored: 'not_stored',
  device_not_connected: 'broken',
  nothing_listens: 'unreachable',
  name_unknown: 'unreachable',
  name_not_looked_up: 'unreachable',
  no_way: 'unreachable',
  host_silent: 'unreachable',
  broke_off: 'connecting',
  closed_early: 'unreachable',
  no_tls: 'tls',
  issuer_unknown: 'tls',
  certificate_time: 'tls',
  certificate_names: 'tls',
  tls_refused: 'tls',
  headers_too_long: 'broken',
  no_http: 'broken',
  body_not_as_told: 'broken',
  given_up: 'connecting',
  answer_late: 'unreachable',
  connection_late: 'unreachable',
  answer_cut: 'connecting',
  answer_too_large: 'broken',
  address_outside: 'unreachable',
  name_outside: 'unreachable',
  connection_failed: 'unreachable',
  stopped: 'connecting',
};

/** @param host of the address of the device, with its port where it names one */
export function connectionFault(error: unknown, host: string): ConnectionFault {
  if (error instanceof ConnectionFault) return error;
  if (error instanceof TransportError || error instanceof AddressRefused)
    return new ConnectionFault(error.fault, error);
  if (error instanceof TooMuchHeld)
    return new ConnectionFault(
      { code: 'device_answer_wrong', params: { host, reason: error.message } },
      error,
    );
  const { code, message } = error as { code?: unknown; message?: unknown };
  const system = typeof code === 'string' ? code : '';
  return new ConnectionFault(transportFault(host, system, String(message ?? '')), error);
}
