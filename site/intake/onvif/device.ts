// What a device says of itself: its clock, where its services are, its serial number.
import { ConnectionFault } from '../connection/fault.ts';
import type { Session } from '../connection/session.ts';
import { isObject } from '../message/json.ts';
import { wordOf } from '../message/member.ts';
import { cleanText } from '../message/text.ts';
import { OnvifClient, SoapFault } from './client.ts';
import { type Document, elementOf, listOf } from './document.ts';
import { headersOf, NOBODY } from './identity.ts';
import { NAMESPACES, pathOf } from './soap.ts';
import { offsetOf, systemTime } from './time.ts';

const PATH = '/onvif/device_service';

/** The paths of services; null where a device does not have one. */
export interface Services {
  events: string | null;
  media: string | null;
  media2: string | null;
}

export const clientOf = (session: Session): OnvifClient =>
  new OnvifClient(session, (client) => readClock(session, client));

const deviceCall = (name: string, members = '') => ({
  path: PATH,
  action: `${NAMESPACES.device}/${name}`,
  body: `<${name} xmlns="${NAMESPACES.device}">${members}</${name}>`,
});

/**
 * How far the clock of the device is off, ms; it is told without credentials. What it says is taken as a
 * message too, so that a wrong clock is an alarm even where nothing else works. @throws ConnectionFault
 */
async function readClock(session: Session, client: OnvifClient): Promise<number | null> {
  const answer = await client.open(deviceCall('GetSystemDateAndTime')).catch((error: unknown) => {
    if (error instanceof SoapFault) return null;
    if (!(error instanceof ConnectionFault) || error.fault.code !== 'device_path_unknown') throw error;
    throw new ConnectionFault({ code: 'device_onvif_off', params: { host: client.host, path: PATH } }, error);
  });
  if (answer === null) return null;
  const told = elementOf(answer, 'GetSystemDateAndTimeResponse');
  if (typeof told === 'string')
    throw new ConnectionFault({ code: 'device_answer_wrong', params: { host: client.host, reason: told } });
  const time = systemTime(told);
  if (time === null) return null;
  const offset = offsetOf(time, session.now());
  const body = Buffer.from(answer);
  await session.take({
    contentType: 'application/soap+xml',
    headers: headersOf(NOBODY, { at: session.now(), deviceAt: null, clockOff: null }),
    parts: [{ headers: {}, body }],
    bytes: body.length,
  });
  return offset;
}

/** @throws ConnectionFault */
export async function servicesOf(client: OnvifClient): Promise<Services> {
  const members = '<IncludeCapability>false</IncludeCapability>';
  const answer = await orNothing(client.call(deviceCall('GetServices', members)));
  const told = answer === null ? null : elementOf(answer, 'GetServicesResponse');
  const listed = told === null || typeof told === 'string' ? [] : listOf(told.Service);
  const found = Object.fromEntries(
    listed.flatMap((one) => {
      const address = isObject(one) ? wordOf(one.XAddr) : null;
      return isObject(one) && address !== null ? [[wordOf(one.Namespace) ?? '', pathOf(address)]] : [];
    }),
  ) as Record<string, string | null | undefined>;
  if (found[NAMESPACES.events])
    return {
      events: found[NAMESPACES.events] ?? null,
      media: found[NAMESPACES.media] ?? null,
      media2: found[NAMESPACES.media2] ?? null,
    };
  return olderServices(client);
}

/** As devices before ONVIF 2.1 tell it. */
async function olderServices(client: OnvifClient): Promise<Services> {
  const answer = await orNull(client.call(deviceCall('GetCapabilities', '<Category>All</Category>')));
  const pathIn = (name: string): string | null => {
    const service = elementOf(answer ?? '', name);
    const address = typeof service === 'string' ? null : wordOf(service.XAddr);
    return address === null ? null : pathOf(address);
  };
  return { events: pathIn('Events'), media: pathIn('Media'), media2: null };
}

/** null where the device does not tell it. @throws ConnectionFault when it does not let us in */
export async function serialOf(client: OnvifClient): Promise<string | null> {
  const answer = await orNothing(client.call(deviceCall('GetDeviceInformation')));
  const told: Document | string = answer === null ? '' : elementOf(answer, 'GetDeviceInformationResponse');
  return typeof told === 'string' ? null : cleanText(wordOf(told.SerialNumber), 64);
}

/** What a device does with an operation that it does not know, in the place of a fault. */
const UNANSWERED = new Set([
  'device_path_unknown',
  'device_status',
  'device_closed',
  'closed_early',
  'broke_off',
  'answer_late',
]);

/** null also for a device that has no answer at all, which others may do without. */
const orNothing = (answer: Promise<string>): Promise<string | null> =>
  orNull(answer).catch((error: unknown) => {
    if (error instanceof ConnectionFault && UNANSWERED.has(error.fault.code)) return null;
    throw error;
  });

/** null for what the device refuses as an operation that it does not have. */
export const orNull = (answer: Promise<string>): Promise<string | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof SoapFault) return null;
    throw error;
  });
