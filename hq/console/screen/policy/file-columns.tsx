import { Link } from '@tanstack/react-router';
import type { TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { useFilters } from '../../list/filter.ts';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { type EyesFilters, eyesFilters } from './filters.ts';
import { FileState, Level, stateOf, useValidity } from './marks.tsx';
import type { PolicyFile } from './queries.ts';
import { words } from './words.ts';

/** Leads to a file by its number. */
export function FileLink({ id, eyes }: { id: number; eyes: EyesFilters }) {
  return (
    <Link to="/library/files/$doc" params={{ doc: String(id) }} search={eyes}>
      #{id}
    </Link>
  );
}

export function useFileColumns(): TableColumnsType<PolicyFile> {
  const say = useWords(words);
  const { language } = useLanguage();
  const validity = useValidity();
  const { filters: eyes } = useFilters(eyesFilters);
  return useMemo(
    () => [
      {
        key: 'name',
        title: say('name'),
        render: (_, { docId, title, docNo }) => (
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
            <span className="quiet library-cut">{docNo ?? `#${docId}`}</span>
          </div>
        ),
      },
      {
        key: 'version',
        title: say('version'),
        render: (_, { version }) => (
          <span className="library-cut-short" title={version}>
            {version}
          </span>
        ),
      },
      { key: 'status', title: say('status'), render: (_, file) => <FileState status={stateOf(file)} /> },
      {
        key: 'level',
        title: say('level'),
        render: (_, { securityLevel }) => <Level level={securityLevel} />,
      },
      {
        key: 'validity',
        title: say('validity'),
        render: (_, file) => <span className="number">{validity(file)}</span>,
      },
      {
        key: 'chunks',
        title: say('chunks'),
        align: 'end',
        render: (_, { chunkCount }) => <span className="number">{number(chunkCount, language)}</span>,
      },
      {
        key: 'supersedes',
        title: say('supersedes'),
        render: (_, { supersedes }) => supersedes !== null && <FileLink id={supersedes} eyes={eyes} />,
      },
      {
        key: 'supersededBy',
        title: say('supersededBy'),
        render: (_, { supersededBy }) => supersededBy !== null && <FileLink id={supersededBy} eyes={eyes} />,
      },
      { key: 'created', title: say('created'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    ],
    // `validity` follows the words.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [say, language, eyes],
  );
}
