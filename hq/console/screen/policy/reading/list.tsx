import { Link } from '@tanstack/react-router';
import type { TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { defineList, whole } from '../../../list/define.tsx';
import { useFilters } from '../../../list/filter.ts';
import { Time } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import type { Eyes } from '../eyes.ts';
import { eyesFilters } from '../filters.ts';
import { type Reading, useReadings } from '../queries.ts';
import { ReadAgain, ReadingNotes, ReadingState } from './state.tsx';
import { words } from './words.ts';

const Readings = defineList<Reading, string>({
  keyOf: ({ docId }) => String(docId),
  useColumns,
  head: 'file',
});

/** Files that wait to be read, that are being read, and that could not be read. */
export function ReadingList({ eyes }: { eyes: Eyes | null }) {
  const say = useWords(words);
  const query = useReadings(eyes, true);
  return (
    <Readings
      list={{ ...whole(query, query.data), paged: false }}
      acts={eyes?.tenant ?? ''}
      none={say('none')}
    />
  );
}

function useColumns(tenant: string): TableColumnsType<Reading> {
  const say = useWords(words);
  const { filters: eyes } = useFilters(eyesFilters);
  return useMemo(
    () => [
      {
        key: 'file',
        title: say('file'),
        render: (_, { docId, title, fileName }) => (
          <div className="library-lines">
            <Link
              to="/library/files/$doc"
              params={{ doc: String(docId) }}
              search={eyes}
              className="library-cut"
              title={title}
            >
              {title}
            </Link>
            <span className="quiet library-cut" title={fileName ?? ''}>
              {fileName ?? `#${docId}`}
            </span>
          </div>
        ),
      },
      { key: 'state', title: say('state'), render: (_, reading) => <ReadingState reading={reading} /> },
      { key: 'notes', title: say('notes'), render: (_, { notes }) => <ReadingNotes notes={notes} /> },
      { key: 'changed', title: say('changed'), render: (_, { changedAt }) => <Time at={changedAt} /> },
      {
        key: 'act',
        render: (_, { docId, readingState }) =>
          readingState === 'failed' && <ReadAgain tenant={tenant} docId={docId} replaces={false} />,
      },
    ],
    [say, eyes, tenant],
  );
}
