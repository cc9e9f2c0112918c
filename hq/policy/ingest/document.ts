import { say } from '../../../common/message.ts';
import type { Clause } from './clauses.ts';
import { gapsIn } from './gaps.ts';
import { ingestMessages, type ReadingNote, type UnreadableReason } from './ingest-messages.ts';
import type { Original, Reading } from './read.ts';
import { type ReadAnswer, readApart, type ReadLimits } from './reader.ts';
import { type Recognition, type RecognitionBounds, recognizePages } from './recognition.ts';

/** Pages that a note names. */
const NAMED_PAGES = 20;

export type DocumentAnswer =
  | {
      clauses: Clause[];
      /** What a reviewer must know: what is in no clause, and what was not read from text. */
      notes: ReadingNote[];
    }
  | { unreadable: UnreadableReason };

/** How far a reading is: it reads the text of the file, then pictures of its pages. */
export interface Progress {
  stage: 'text' | 'recognition';
  page: number;
  pages: number;
}

export interface ReadingOptions {
  reading?: Partial<ReadLimits>;
  recognition?: Partial<RecognitionBounds>;
  /** Ends it, and its processes. */
  signal?: AbortSignal;
  told?: (progress: Progress) => void;
}

/**
 * The clauses of an original: of its text, and of what character recognition reads on pages that have none.
 * What cannot be read says why. @throws the reason of a signal that was given
 */
export async function readDocument(
  original: Original,
  { reading, recognition: bounds, signal, told = () => undefined }: ReadingOptions = {},
): Promise<DocumentAnswer> {
  const ofText = { signal, told: (page: number, pages: number) => told({ stage: 'text', page, pages }) };
  const first = await readApart(original, reading, ofText);
  if ('unreadable' in first) return first;
  if (first.silent.length === 0) return answerOf(first, { pages: [], why: null });
  const recognition = await recognizePages(original.bytes, first.silent, bounds, {
    signal,
    told: (page, pages) => told({ stage: 'recognition', page, pages }),
  });
  const second: ReadAnswer =
    recognition.pages.length === 0
      ? first
      : await readApart({ ...original, recognized: recognition.pages }, reading, { signal });
  return 'unreadable' in second ? second : answerOf(second, recognition);
}

/** What is said of a file without a person's language at hand, as in its parse note; null: nothing. */
export function parseNoteOf(answer: DocumentAnswer): string | null {
  if ('unreadable' in answer)
    return `The file could not be read: ${say(ingestMessages, answer.unreadable, 'en')}.`;
  return answer.notes.map((note) => say(ingestMessages, note, 'en')).join(' ') || null;
}

function answerOf({ clauses, silent, torn }: Reading, { pages, why }: Recognition): DocumentAnswer {
  if (clauses.length === 0) {
    const obstacle = why ?? { code: 'found_none' as const, params: {} };
    return { unreadable: { code: 'pictures_alone', params: { why: obstacle } } };
  }
  const recognized = pages.map(({ page }) => page).filter((page) => !silent.includes(page));
  const gaps = gapsIn(clauses);
  const notes: ReadingNote[] = [];
  if (gaps.length > 0) notes.push({ code: 'gaps', params: { numbers: gaps.join(', ') } });
  if (recognized.length > 0) notes.push({ code: 'recognized', params: { pages: named(recognized) } });
  if (silent.length > 0)
    notes.push(
      why === null
        ? { code: 'silent', params: { pages: named(silent) } }
        : { code: 'silent_since', params: { pages: named(silent), why } },
    );
  if (torn.length > 0) notes.push({ code: 'torn', params: { pages: named(torn) } });
  return { clauses, notes };
}

function named(pages: readonly number[]): string {
  const more = pages.length > NAMED_PAGES ? ` … (+${pages.length - NAMED_PAGES})` : '';
  return `${pages.slice(0, NAMED_PAGES).join(', ')}${more}`;
}
