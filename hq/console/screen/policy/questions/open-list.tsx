import { Flex, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { defineList } from '../../../list/define.tsx';
import { useAct } from '../../../page/act.ts';
import { Time } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import type { Eyes } from '../eyes.ts';
import { type OpenQuestion, useOpenQuestions } from '../queries.ts';
import { Acts, type Remedies, UnknownWords } from './acts.tsx';
import { words } from './words.ts';

interface ListActs {
  remedies: Remedies;
  settle: (question: OpenQuestion) => void;
  settling: boolean;
}

const Questions = defineList<OpenQuestion, ListActs>({
  keyOf: ({ questionId }) => questionId,
  useColumns,
  head: 'question',
});

/** What was asked of the library without a certain answer. */
export function OpenList({ eyes, remedies }: { eyes: Eyes | null; remedies: Remedies }) {
  const say = useWords(words);
  const list = useOpenQuestions(eyes, true);
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
    <Questions
      list={list}
      acts={{ remedies, settle: settle.run, settling: settle.pending }}
      none={say('none')}
    />
  );
}

function useColumns({ remedies, settle, settling }: ListActs): TableColumnsType<OpenQuestion> {
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
      { key: 'unknown', title: say('unknown'), render: (_, row) => <UnknownWords {...row} /> },
      { key: 'times', title: say('times'), dataIndex: 'times', align: 'end' },
      { key: 'last', title: say('last'), render: (_, { lastAskedAt }) => <Time at={lastAskedAt} /> },
      {
        key: 'act',
        render: (_, row) => (
          <Acts
            row={row}
            remedies={remedies}
            settle={() => settle(row)}
            settling={settling}
            sure={say('sure')}
          />
        ),
      },
    ],
    // The remedies are made anew each time and do the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [say, remedies.tenant, settle, settling],
  );
}
