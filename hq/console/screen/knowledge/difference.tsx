import { type ChangeObject, diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { useWords } from '../../word/language.tsx';
import { reviseWords } from './revise-words.ts';

/** Two texts as one, with what of the earlier was taken out and what the later adds. */
export function DifferenceText({ before, after }: { before: string; after: string }) {
  const say = useWords(reviseWords);
  const parts = useMemo(() => compared(before, after), [before, after]);
  return (
    <div className="difference">
      {parts.map(({ value, added, removed }, at) => {
        const key = `${at} ${value.length}`;
        if (added)
          return (
            <ins key={key} title={say('added')}>
              {value}
            </ins>
          );
        if (removed)
          return (
            <del key={key} title={say('removed')}>
              {value}
            </del>
          );
        return <span key={key}>{value}</span>;
      })}
    </div>
  );
}

/** Texts without blanks between words are taken apart where the language has words. */
function compared(before: string, after: string): ChangeObject<string>[] {
  const intlSegmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  return diffWordsWithSpace(before, after, { intlSegmenter });
}
