// What was judged of an alarm, told to Frigate: its review is viewed, and the object's description has a line
// of ours behind what people or a language model wrote there. Both may be said again without harm. Frigate's
// own mark of a false positive is not used: it uploads the picture.
import { failureText, transportFailure } from '../../../common/core/feedback/failure.ts';
import type { FeedbackRecord } from '../../../common/core/feedback/record.ts';
import { TransportError } from '../../../common/http/outbound/client.ts';
import { ConnectionFault } from '../connection/fault.ts';
import { isObject, parsedJson, valueAt } from '../message/json.ts';
import { FrigateApi, type FrigateSession } from './api.ts';

interface Message {
  localAlertNo?: string | null;
  verdict?: string;
  by?: string;
  reason?: string | null;
}

/** What our line of a description begins with. */
const MARK = 'Fieldline: ';
/** Answers for what Frigate has forgotten, or never knew in its version. */
const GONE = new Set([404, 405]);

/** @returns what went wrong, as it is kept; null when it is told */
export async function tellFrigate(
  { url, body }: Pick<FeedbackRecord, 'url' | 'body'>,
  session: FrigateSession,
  timeoutMs: number,
): Promise<string | null> {
  const { localAlertNo, verdict, by, reason } = JSON.parse(body) as Message;
  const { origin, pathname } = new URL(url);
  const api = new FrigateApi(session, origin);
  const post = async (path: string, said: object): Promise<string | null> => {
    const status = await api.post(path, said, timeoutMs);
    if ((status >= 200 && status < 300) || GONE.has(status)) return null;
    return answered(path, status);
  };
  try {
    const ids = [(localAlertNo ?? '').replace(/-detection$/, '')];
    const viewed = await post('/api/reviews/viewed', { ids, reviewed: true });
    if (viewed !== null || verdict === undefined || !pathname.endsWith('/description')) return viewed;
    const line = [`${MARK}${verdict}`, by, reason].filter(Boolean).join(', ').replace(/\s+/g, ' ');
    const path = pathname.replace(/\/description$/, '');
    const { status, body: object } = await api.read(path, timeoutMs);
    if (status !== 200 && !GONE.has(status)) return answered(path, status);
    const before = status === 200 ? descriptionOf(object) : '';
    return before === null
      ? failureText('answered with an error', `Frigate's answer to ${path} cannot be read`)
      : await post(pathname, { description: withLine(before, line) });
  } catch (error) {
    if (error instanceof TransportError) return transportFailure(error);
    if (error instanceof ConnectionFault) return failureText('unreachable', error.message);
    throw error;
  }
}

function answered(path: string, status: number): string {
  const right = status === 403 ? '; give its user the role admin' : '';
  return failureText('answered with an error', `Frigate answered ${path} with ${status}${right}`);
}

/** What stands with an object; null where the answer is none. */
function descriptionOf(object: Buffer): string | null {
  const event = parsedJson(object);
  if (!isObject(event)) return null;
  const text = valueAt(event, 'data.description');
  return typeof text === 'string' ? text : '';
}

/** The line behind what others wrote, in the place of the one that was ours before. */
const withLine = (before: string, line: string): string =>
  [...before.split('\n').filter((one) => !one.startsWith(MARK)), line].join('\n').replace(/^\n+/, '');
