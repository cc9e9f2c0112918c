// Hikvision's alertStream (ISAPI): an answer of many parts that does not end.
import { DeviceHttp } from '../connection/http.ts';
import type { Connector, Session } from '../connection/session.ts';
import { pathSnapshots } from '../connection/snapshot.ts';
import { readParts } from '../connection/stream.ts';
import { announcedBoundary } from '../message/parts.ts';
import type { FetchPictures } from '../record.ts';
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
    await readParts(session, answer, {
      boundary: announcedBoundary(answer.headers['content-type']),
      whole: isWhole,
      onPart: (part) => gathering.add(part),
    });
    await gathering.end();
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

/** Bytes of a document of JSON that is looked at for its end. */
const MAX_JSON = 512 * 1024;

/** Whether a document is over: the next boundary comes with the next alarm. */
export function isWhole(body: Buffer): boolean {
  const first = body.subarray(0, 64).toString('latin1').trimStart()[0];
  if (first === '<') return /<\/(?:\w+:)?EventNotificationAlert\s*>\s*$/.test(tail(body));
  return first === '{' && closes(body);
}

const tail = (body: Buffer): string => body.subarray(-128).toString('latin1');

/** Whether the brackets of a JSON document are closed, outside its strings. */
function closes(body: Buffer): boolean {
  if (body.length > MAX_JSON || !/\}\s*$/.test(tail(body))) return false;
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
