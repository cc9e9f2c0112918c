// The notifications of one answer, each by itself: an answer that breaks off, or one of them that cannot be
// read, does not cost the others.
import { hash } from 'node:crypto';
import type { Part } from '../record.ts';
import { Properties } from './property.ts';

export interface Notifications {
  /** As they came, each whole. */
  whole: string[];
  /** What there is of those without their end. */
  broken: string[];
}

const OPENING = /<((?:[\w.-]+:)?NotificationMessage)(?=[\s>])/g;

export function notificationsOf(text: string): Notifications {
  const found: Notifications = { whole: [], broken: [] };
  const starts = [...text.matchAll(OPENING)];
  for (const [index, { index: from, 1: name = '' }] of starts.entries()) {
    const until = starts[index + 1]?.index ?? text.length;
    const own = text.slice(from, until);
    const close = own.indexOf(`</${name}`);
    if (close < 0) found.broken.push(own);
    else found.whole.push(`${own.slice(0, close)}</${name}>`);
  }
  return found;
}

/** Notifications that are remembered, to know them again. */
const REMEMBERED = 500;
/**
 * What is told again so soon, ms, is doubled. Later it is told anew: some firmwares write an old time into
 * all that they tell, so that one alarm is as another.
 */
const DOUBLED_MS = 10_000;

/** A header of our own, on what is told as a beginning and is a change. */
const CHANGED = 'onvif-changed';

export const isChange = ({ headers }: Part): boolean => headers[CHANGED] !== undefined;

export interface Answered {
  /** A part for each notification that is new, and for what is left of one; none: all were known. */
  parts: Part[];
  /** Notifications that are new. */
  fresh: number;
}

/** Devices tell notifications twice, also those that were answered: the text, its time in it, is the same. */
export class Heard {
  /** When each was told first, by its digest, oldest first. */
  #told = new Map<string, number>();
  #properties = new Properties();

  /**
   * What an answer to PullMessages brings; one without notifications is a part itself.
   * @param now monotonic ms
   */
  take(answer: string, now: number): Answered {
    const { whole, broken } = notificationsOf(answer);
    for (const [digest, at] of this.#told) {
      if (now - at < DOUBLED_MS && this.#told.size <= REMEMBERED) break;
      this.#told.delete(digest);
    }
    const fresh = whole.filter((one) => this.#isNew(one, now));
    const none = whole.length + broken.length === 0;
    const news = fresh.map((text) => partOf(text, this.#properties.changed(text)));
    const rest = (none ? [answer] : broken).map((text) => partOf(text, false));
    return { parts: [...news, ...rest], fresh: fresh.length };
  }

  #isNew(notification: string, now: number): boolean {
    const digest = hash('sha256', notification, 'base64url');
    if (this.#told.has(digest)) return false;
    this.#told.set(digest, now);
    return true;
  }
}

const partOf = (text: string, changed: boolean): Part => ({
  headers: changed ? { [CHANGED]: '1' } : {},
  body: Buffer.from(text),
});
