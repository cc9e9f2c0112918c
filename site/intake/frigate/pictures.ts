import { setTimeout as pause } from 'node:timers/promises';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import { TransportError } from '../../../common/http/outbound/client.ts';
import { ConnectionFault } from '../connection/fault.ts';
import type { Session } from '../connection/session.ts';
import type { FetchPictures, Picture } from '../record.ts';
import { FrigateApi } from './api.ts';

/**
 * An alarm waits for its pictures so long at most, ms: their digests stand in the event, which is written
 * once.
 */
const WAIT_MS = 3_000;
/** Frigate tells of an object before its picture is there; it is asked again after so long, ms. */
const AGAIN_MS = 400;

/** Fetches the snapshots of what a review names; null where Frigate's address is not known. */
export function frigatePictures(session: Session): FetchPictures | null {
  const { apiAddress } = session.device.config;
  if (apiAddress === undefined) return null;
  const api = new FrigateApi(session, apiAddress);
  return async ({ pictureUrls }) => {
    const until = performance.now() + WAIT_MS;
    const pictures = await Promise.all(pictureUrls.map((path) => snapshot(api, path, until)));
    return pictures.flatMap((bytes, index) => pictureOf(bytes, index));
  };
}

async function snapshot(api: FrigateApi, path: string, until: number): Promise<Buffer | null> {
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return null;
    try {
      const bytes = await api.picture(path, left);
      if (bytes) return bytes;
    } catch (error) {
      // The alarm counts; a picture that does not come is counted by whoever asked for it.
      if (error instanceof ConnectionFault || error instanceof TransportError) return null;
      throw error;
    }
    await pause(Math.min(AGAIN_MS, Math.max(0, until - performance.now())));
  }
}

function pictureOf(bytes: Buffer | null, index: number): Picture[] {
  const contentType = bytes && pictureType(bytes);
  return bytes && contentType ? [{ name: `snapshot-${index + 1}.jpg`, contentType, bytes }] : [];
}
