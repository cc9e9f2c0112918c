// Hikvision's alertStream (ISAPI): an answer of many parts that does not end.
import { DeviceHttp } from '../connection/http.ts';
import type { Connector, Session } from '../connection/session.ts';
import { pathSnapshots } from '../connection/snapshot.ts';
import { readParts } from '../connection/stream.ts';
import { parsedJson } from '../message/json.ts';
import { JsonEnd } from '../message/json-end.ts';
import { announcedBoundary } from '../message/parts.ts';
import type { FetchPictures } from '../record.ts';
import { MAX_DOCUMENT } from './document.ts';
import { Gathering } from './gathering.ts';

const PATH = '/ISAPI/Event/notification/alertStream';
/**
 * Firmwares since 5.5 send a heartbeat every 10 s, older ones three a second; after 30 s without one the SDK
 * guide has the connection for dead.
 */
const QUIET_MS = 45_000;

export const alertStream: Connector = {
  quietMs: QUIET_MS,
  async connect(session) {
    const http = new DeviceHttp(session);
    const answer = await http.open({ path: PATH, headers: { accept: 'multipart/mixed' } });
    session.connected();
    const fetch = keptPictures(session, http.base);
    const gathering = new Gathering({
      onMessage: (parts) =>
        session.take(
          {
            contentType: parts[0]?.headers['content-type'],
            parts,
            bytes: parts.reduce((sum, { body }) => sum + body.length, 0),
          },
          fetch,
        ),
      onStray: () => session.pictureLost(),
    });
    try {
      await readParts(session, answer, {
        boundary: announcedBoundary(answer.headers['content-type']),
        whole: documentEnd,
        onPart: (part, brokenOff) => gathering.add(part, brokenOff),
        kept: () => gathering.bytes,
      });
    } finally {
      await gathering.end();
    }
  },
};

/**
 * Fetches the picture that an alarm names by address, where this device keeps it. Recorders write an address
 * of another scheme or port than they are reached at, so that the host alone counts.
 */
function keptPictures(session: Session, { hostname }: URL): FetchPictures {
  const fetch = pathSnapshots(session);
  return async (occurrence) => {
    const [address = ''] = occurrence.pictureUrls;
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url?.hostname !== hostname) return [];
    return fetch({ ...occurrence, pictureUrls: [url.pathname + url.search] });
  };
}

/** Whether the document of a part is over: the next boundary comes with the next alarm. */
export function documentEnd(): (body: Buffer) => boolean {
  const json = new JsonEnd();
  let broken = false;
  return (body) => {
    const first = body.subarray(0, 64).toString('latin1').trimStart()[0];
    if (first === '<') return /<\/(?:\w+:)?EventNotificationAlert\s*>\s*$/.test(tail(body));
    if (first !== '{' || broken || body.length > MAX_DOCUMENT) return false;
    const end = json.of(body);
    if (end === null || /\S/.test(body.subarray(end, end + 64).toString('latin1'))) return false;
    // Where its brackets close and it is none, the next boundary says where it ends.
    broken = parsedJson(body) === undefined;
    return !broken;
  };
}

const tail = (body: Buffer): string => body.subarray(-128).toString('latin1');
