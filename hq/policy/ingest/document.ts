import type { Clause } from './clauses.ts';
import { gapsIn } from './gaps.ts';
import type { Original, Reading } from './read.ts';
import { type ReadAnswer, readApart, type ReadLimits } from './reader.ts';
import { type Recognition, type RecognitionBounds, recognizePages } from './recognition.ts';

/** Pages that a note names. */
const NAMED_PAGES = 20;

export type DocumentAnswer =
  | {
      clauses: Clause[];
      /** What a reviewer must know: what is in no clause, and what was not read from text; null: nothing. */
      note: string | null;
    }
  | { unreadable: string };

/**
 * The clauses of an original: of its text, and of what character recognition reads on pages that have none.
 * Never fails: what cannot be read says why.
 */
export async function readDocument(
  original: Original,
  limits: { reading?: Partial<ReadLimits>; recognition?: Partial<RecognitionBounds> } = {},
): Promise<DocumentAnswer> {
  const first = await readApart(original, limits.reading);
  if ('unreadable' in first) return first;
  if (first.silent.length === 0) return answerOf(first, { pages: [], why: null });
  const recognition = await recognizePages(original.bytes, first.silent, limits.recognition);
  const second: ReadAnswer =
    recognition.pages.length === 0
      ? first
      : await readApart({ ...original, recognized: recognition.pages }, limits.reading);
  return 'unreadable' in second ? second : answerOf(second, recognition);
}

function answerOf({ clauses, silent, torn }: Reading, { pages, why }: Recognition): DocumentAnswer {
  if (clauses.length === 0)
    return {
      unreadable:
        'it holds pictures, or fonts that do not tell their characters, and no text' +
        `; ${why ?? 'character recognition found none either'}`,
    };
  const recognized = pages.map(({ page }) => page).filter((page) => !silent.includes(page));
  const gaps = gapsIn(clauses);
  const notes = [
    ...(gaps.length > 0
      ? [
          `Numbers that are missing between those of the clauses: ${gaps.join(', ')}. Compare with the ` +
            'original before the file is put in force: what they say may be in other clauses, or in none.',
        ]
      : []),
    ...(recognized.length > 0
      ? [
          `Pages read by character recognition (tesseract), not from text: ${named(recognized)}. ` +
            'Compare what it says, numbers first, with the original; tables there may have lost their ' +
            'columns.',
        ]
      : []),
    ...(silent.length > 0
      ? [
          `Pages without text that can be read, empty or pictures: ${named(silent)}. ` +
            `What stands on them is in no clause${why === null ? '' : `; ${why}`}.`,
        ]
      : []),
    ...(torn.length > 0
      ? [
          `Pages with a table whose rows or columns could not be kept: ${named(torn)}. ` +
            'Compare them with the original.',
        ]
      : []),
  ];
  return { clauses, note: notes.length === 0 ? null : notes.join(' ') };
}

function named(pages: readonly number[]): string {
  const more = pages.length > NAMED_PAGES ? ` and ${pages.length - NAMED_PAGES} more` : '';
  return `${pages.slice(0, NAMED_PAGES).join(', ')}${more}`;
}
