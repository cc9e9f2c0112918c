import { Link } from '@tanstack/react-router';
import { Button, Flex, Popconfirm, type TableColumnsType, Tag } from 'antd';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { defineList } from '../../../list/define.tsx';
import { useAct } from '../../../page/act.ts';
import { Time } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import { useEyes } from '../eyes.ts';
import { LibraryFrame } from '../frame.tsx';
import { GroupDialog } from '../group-dialog.tsx';
import { type OpenQuestion, useOpenQuestions } from '../queries.ts';
import { useSynonyms } from '../synonym-queries.ts';
import { words } from './words.ts';

interface Acts {
  tenant: string;
  add: (question: OpenQuestion) => void;
  settle: (question: OpenQuestion) => void;
  settling: boolean;
}

const Questions = defineList<OpenQuestion, Acts>({
  keyOf: ({ questionId }) => questionId,
  useColumns,
  head: 'question',
});

/** What was asked of the library without a certain answer; for who keeps it. */
export function OpenQuestions() {
  const say = useWords(words);
  const eyes = useEyes();
  const list = useOpenQuestions(eyes);
  const table = useSynonyms(eyes?.tenant);
  const [adding, add] = useState<OpenQuestion | null>(null);
  const settle = useAct({
    act: ({ questionId }: OpenQuestion) =>
      answerOf(
        api.DELETE('/api/core/kb/questions/{question_id}', {
          params: { path: { question_id: questionId }, query: { tenant_code: eyes?.tenant ?? '' } },
        }),
      ),
    changes: [['policy', 'questions']],
    done: () => say('settled'),
  });
  return (
    <LibraryFrame tab="questions" byLevel={false}>
      <span className="quiet">{say('about')}</span>
      <Questions
        list={list}
        acts={{ tenant: eyes?.tenant ?? '', add, settle: settle.run, settling: settle.pending }}
        none={say('none')}
      />
      {table.data && (
        <GroupDialog
          table={table.data}
          at={adding === null ? null : 'new'}
          words={adding?.unknownWords.slice(0, 1) ?? []}
          close={() => add(null)}
        />
      )}
    </LibraryFrame>
  );
}

function useColumns({ tenant, add, settle, settling }: Acts): TableColumnsType<OpenQuestion> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'question',
        title: say('question'),
        render: (_, { question, certainNote }) => (
          <Flex vertical>
            <span className="wraps">
              <bdi>{question}</bdi>
            </span>
            <span className="quiet">{say(certainNote === 'nothing_found' ? 'nothingFound' : 'little')}</span>
          </Flex>
        ),
      },
      {
        key: 'unknown',
        title: say('unknown'),
        render: (_, { unknownWords }) => (
          <Flex gap={4} wrap>
            {unknownWords.map((word) => (
              <Tag key={word}>
                <bdi>{word}</bdi>
              </Tag>
            ))}
          </Flex>
        ),
      },
      { key: 'times', title: say('times'), dataIndex: 'times', align: 'end' },
      { key: 'last', title: say('last'), render: (_, { lastAskedAt }) => <Time at={lastAskedAt} /> },
      {
        key: 'act',
        render: (_, row) => (
          <Flex gap="small" wrap>
            <Button size="small" onClick={() => add(row)}>
              {say('addSynonyms')}
            </Button>
            <Link to="/library" search={{ tenant, q: row.question }}>
              <Button size="small">{say('tryAgain')}</Button>
            </Link>
            <Popconfirm title={say('sure')} okText={say('settle')} onConfirm={() => settle(row)}>
              <Button size="small" loading={settling}>
                {say('settle')}
              </Button>
            </Popconfirm>
          </Flex>
        ),
      },
    ],
    [say, tenant, add, settle, settling],
  );
}
