import { once } from 'node:events';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import { TransportError } from '../../../common/http/outbound/client.ts';
import type { FetchPictures, Picture } from '../record.ts';
import { ConnectionFault } from './fault.ts';
import { DeviceHttp } from './http.ts';
import type { Session } from './session.ts';

/**
 * An alarm waits for its picture so long at most, ms: its digest stands in the event, which is written once.
 */
const WAIT_MS = 3_000;
const MAX_PICTURE = 8 * 1024 * 1024;

/**
 * Fetches the snapshot of a source at the path that the device gave. A device that does not take the password
 * for it is not asked again in this connection, and before it took it once, one is asked for alone: accounts
 * are locked after some tries.
 */
export function pathSnapshots(session: Session): FetchPictures {
  let password: 'untried' | 'taken' | 'refused' = 'untried';
  let trying: Promise<void> | null = null;
  const ask = async (path: string): Promise<Picture[]> => {
    if (password === 'refused') return [];
    const late = AbortSignal.timeout(WAIT_MS);
    try {
      const bytes = await Promise.race([fetched(session, path, late), whenLate(late)]);
      const contentType = bytes && pictureType(bytes);
      if (!bytes || !contentType) return [];
      password = 'taken';
      return [{ name: 'snapshot-1', contentType, bytes }];
    } catch (error) {
      // The alarm counts; a picture that does not come is counted by whoever asked for it.
      if (error instanceof ConnectionFault && error.condition === 'refused') password = 'refused';
      else if (!(error instanceof ConnectionFault || error instanceof TransportError)) throw error;
      return [];
    }
  };
  return async ({ pictureUrls: [path] }) => {
    if (path === undefined) return [];
    // One that came to nothing for another reason lets the next one try.
    while (password === 'untried' && trying) await trying;
    if (password !== 'untried') return ask(path);
    const mine = ask(path);
    const over = (): void => void (trying = null);
    trying = mine.then(over, over);
    return mine;
  };
}

async function fetched(session: Session, path: string, late: AbortSignal): Promise<Buffer | null> {
  const signal = AbortSignal.any([session.signal, late]);
  const http = new DeviceHttp({ ...session, signal });
  const { status, body } = await http.send({ path, timeoutMs: WAIT_MS, maxAnswer: MAX_PICTURE, kept: true });
  return status === 200 ? body : null;
}

async function whenLate(late: AbortSignal): Promise<null> {
  await once(late, 'abort');
  return null;
}
