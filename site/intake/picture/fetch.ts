import type { Clock } from '../../../common/clock.ts';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import { type HttpClient, TransportError } from '../../../common/http/outbound/client.ts';
import type { Occurrence, Picture } from '../record.ts';
import type { Room } from '../room.ts';

/**
 * An alarm waits for its pictures so long at most, ms: their digests stand in the event, which is written
 * once.
 */
const WAIT_MS = 3_000;
const MAX_PICTURE = 8 * 1024 * 1024;
const MAX_PICTURES = 4;

export interface Fetching {
  client: HttpClient;
  clock: Clock;
  /** Where they count until the message is stored. */
  room: Pick<Room, 'turn' | 'count'>;
}

/** Fetches the pictures that an occurrence names by address. What does not come in time is left out. */
export async function fetchPictures(
  { client, clock, room }: Fetching,
  { pictureUrls }: Pick<Occurrence, 'pictureUrls'>,
): Promise<Picture[]> {
  const until = clock.monotonic() + WAIT_MS;
  const pictures: Picture[] = [];
  for (const [index, url] of pictureUrls.slice(0, MAX_PICTURES).entries()) {
    const left = Math.floor(until - clock.monotonic());
    if (left <= 0) break;
    const bytes = await fetchOne(url, { client, room, timeoutMs: left });
    const contentType = bytes && pictureType(bytes);
    if (bytes && contentType) pictures.push({ name: `fetched-${index + 1}`, contentType, bytes });
  }
  return pictures;
}

async function fetchOne(
  url: string,
  { client, room, timeoutMs }: Pick<Fetching, 'client' | 'room'> & { timeoutMs: number },
): Promise<Buffer | null> {
  if (!URL.canParse(url)) return null;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    await room.turn(late);
    const { status, body } = await client.send({
      method: 'GET',
      url,
      timeoutMs,
      maxAnswer: MAX_PICTURE,
      signal: late,
      onBytes: (bytes) => room.count(bytes),
    });
    return status === 200 ? body : null;
  } catch (error) {
    if (error instanceof TransportError || late.aborted) return null;
    throw error;
  }
}
