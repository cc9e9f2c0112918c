// A site with devices that cannot sign, and messages as cameras send them.
import { type EventDoc, readDoc } from '../../../common/core/event/record.ts';
import type { SettableClock, SiteHere } from '../../support/in-process.ts';
import { type Answer, expectStatus, jsonOf, request } from '../../support/request.ts';

export interface Issued {
  keyId: string;
  path: string;
  user: string | null;
  password: string | null;
}

export const register = async (here: SiteHere, body: Record<string, unknown>): Promise<Issued> =>
  jsonOf<Issued>(
    expectStatus(
      await here.call('POST', '/api/core/devices', { tenant_code: 'acme', name: 'gate', ...body }),
      201,
    ),
  );

export const post = (
  here: SiteHere,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> => request({ url: here.site.url, method: 'POST', path, body, headers });

export interface SeenEvent {
  id: number;
  type: string;
  severity: string | null;
  occurredAt: number | null;
  key: string;
  doc: EventDoc;
}

/** All events of the site, oldest first. */
export async function eventsOf({ site }: Pick<SiteHere, 'site'>): Promise<SeenEvent[]> {
  const rows = await site.store.events.page(0, 10_000);
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    severity: row.severity,
    occurredAt: row.occurredAt,
    key: row.idempotencyKey,
    doc: readDoc(row),
  }));
}

export interface DeviceSeen {
  keyId: string;
  messages: number;
  heartbeats: number;
  stored: number;
  repeated: number;
  unreadable: number;
  unknownTypes: Record<string, number>;
  heardAt: string | null;
  clockOffSeconds: number;
  refusal: { reason: string; count: number } | null;
}

export const deviceOf = async (here: SiteHere, keyId: string): Promise<DeviceSeen> => {
  const { items } = jsonOf<{ items: DeviceSeen[] }>(await here.call('GET', '/api/core/devices'));
  const found = items.find((one) => one.keyId === keyId);
  if (!found) throw new Error(`no device ${keyId}`);
  return found;
};

/** Local time with its zone, as Hikvision writes it. */
export function localTime(at: number, offsetHours = 8): string {
  const sign = offsetHours < 0 ? '-' : '+';
  const hours = String(Math.abs(offsetHours)).padStart(2, '0');
  return `${new Date(at + offsetHours * 3_600_000).toISOString().slice(0, 19)}${sign}${hours}:00`;
}

export interface Alert {
  type?: string;
  state?: string;
  channel?: number | string | null;
  time?: string;
  count?: number;
  region?: number;
  mac?: string;
  /** Further members, as XML. */
  more?: string;
}

/** An alert as a camera writes it. */
export function alertXml(alert: Alert = {}): string {
  const { type = 'fielddetection', state = 'active', channel = 1, mac = 'ac:b9:2f:49:44:75' } = alert;
  const { time = localTime(Date.now()), count = 1, region, more = '' } = alert;
  const regions =
    region === undefined
      ? ''
      : `<DetectionRegionList><DetectionRegionEntry><regionID>${region}</regionID>` +
        '<detectionTarget>human</detectionTarget></DetectionRegionEntry></DetectionRegionList>\n';
  return `<?xml version="1.0" encoding="UTF-8"?>
<EventNotificationAlert version="2.0" xmlns="http://www.hikvision.com/ver20/XMLSchema">
<ipAddress>192.168.1.64</ipAddress>
<portNo>80</portNo>
<protocol>HTTP</protocol>
<macAddress>${mac}</macAddress>
${channel === null ? '' : `<channelID>${channel}</channelID>\n`}<dateTime>${time}</dateTime>
<activePostCount>${count}</activePostCount>
<eventType>${type}</eventType>
<eventState>${state}</eventState>
<eventDescription>${type} alarm</eventDescription>
<channelName>Gate</channelName>
${regions}${more}</EventNotificationAlert>
`;
}

export const jpeg = (size = 2_000, fill = 7): Buffer => {
  const bytes = Buffer.alloc(size, fill);
  bytes.set([0xff, 0xd8, 0xff, 0xe0], 0);
  bytes.set([0xff, 0xd9], size - 2);
  return bytes;
};

export interface PartText {
  headers?: string[];
  body: string | Buffer;
}

/** A multipart body; `eol` and `doubled` are what cameras get wrong. */
export function multipart(
  parts: readonly PartText[],
  { boundary = 'boundary', eol = '\r\n', doubled = false, closed = true } = {},
): Buffer {
  const pieces: Buffer[] = [];
  for (const { headers = [], body } of parts) {
    if (doubled) pieces.push(Buffer.from(`--${boundary}${eol}`));
    pieces.push(Buffer.from([`--${boundary}`, ...headers, '', ''].join(eol)));
    pieces.push(Buffer.isBuffer(body) ? body : Buffer.from(body), Buffer.from(eol));
  }
  if (closed) pieces.push(Buffer.from(`--${boundary}--${eol}`));
  return Buffer.concat(pieces);
}

export const XML_PART = (body: string, length = Buffer.byteLength(body)): PartText => ({
  headers: [
    'Content-Disposition: form-data; name="linedetection.xml"; filename="linedetection.xml"',
    'Content-Type: application/xml',
    `Content-Length: ${length}`,
  ],
  body,
});

export const PICTURE_PART = (body: Buffer, name = 'intrusionImage'): PartText => ({
  headers: [
    `Content-Disposition: form-data; name="${name}"; filename="${name}.jpg"`,
    'Content-Type: image/jpeg',
    `Content-Length: ${body.length}`,
  ],
  body,
});

export const MULTIPART = { 'content-type': 'multipart/form-data; boundary=boundary' };
export const XML = { 'content-type': 'application/xml; charset="UTF-8"' };

/** Moves the wall clock and back. */
export async function withClock<T>(clock: SettableClock, offset: number, run: () => Promise<T>): Promise<T> {
  clock.offset = offset;
  try {
    return await run();
  } finally {
    clock.offset = 0;
  }
}
