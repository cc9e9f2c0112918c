import { FilePdfOutlined } from '@ant-design/icons';
import { useWords } from '../../word/language.tsx';
import type { Eyes } from './eyes.ts';
import { words } from './words.ts';

/**
 * A link to the original: a PDF opens at the page, anything else is saved.
 * @param page null where it is not known
 */
export function OriginalLink({ eyes, docId, page }: { eyes: Eyes; docId: number; page: number | null }) {
  const say = useWords(words);
  const query = new URLSearchParams({
    ...eyes.query,
    inline: '1',
    ...(eyes.subject === undefined || eyes.all ? {} : { asker: eyes.subject }),
  });
  return (
    <a
      href={`/api/core/kb/docs/${docId}/file?${query}${page === null ? '' : `#page=${page}`}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <FilePdfOutlined /> {page === null ? say('original') : say('originalPage', { page })}
    </a>
  );
}
