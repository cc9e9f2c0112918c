// Pure: whether an event says what somebody looks for.
import type { CameraBook } from '../camera/record.ts';
import { type EventRecord, readDoc } from './record.ts';

/** Most words of one search; each must be found. */
export const MAX_WORDS = 8;

/** The words of a search, in lower case; without blanks, as Chinese is written, it is one. */
export const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/**
 * Whether each word stands in what the event says: its title, description, type, camera, place, and the
 * number that the camera gave it.
 * @param words as `wordsIn` gives them
 * @param cameras names that people gave cameras, where one of them has a word; left out: none has
 */
export function says(
  event: Pick<EventRecord, 'type' | 'doc' | 'tenantCode' | 'instance'>,
  words: readonly string[],
  cameras?: CameraBook,
): boolean {
  // Most events have none of it anywhere, and need not be parsed.
  const raw = event.doc.toLowerCase();
  const escaped = raw.includes('\\');
  const plain = !escaped && cameras === undefined;
  if (plain && !words.every((word) => raw.includes(word) || event.type.includes(word))) return false;
  const doc = readDoc(event);
  const said = [
    event.type,
    doc.title,
    doc.description,
    doc.cameraName,
    cameras?.called({ ...event, cameraRef: doc.cameraRef ?? null }),
    doc.cameraRef,
    doc.siteRef,
    doc.pointRef,
    doc.localAlertNo,
    doc.judged?.text,
  ]
    .filter((one) => typeof one === 'string')
    .join('\n')
    .toLowerCase();
  return words.every((word) => said.includes(word));
}
