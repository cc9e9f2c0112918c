import { Flex, type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { defineList } from '../../../list/define.tsx';
import { useAct } from '../../../page/act.ts';
import { Time } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import type { Eyes } from '../eyes.ts';
import { useWrongAnswers, type WrongAnswer } from '../queries.ts';
import { Acts, type Remedies, UnknownWords } from './acts.tsx';
import { words } from './words.ts';

interface ListActs {
  remedies: Remedies;
  settle: (answer: WrongAnswer) => void;
  settling: boolean;
}

const Answers = defineList<WrongAnswer, ListActs>({
  keyOf: ({ qaId }) => String(qaId),
  useColumns,
  head: 'question',
});

/** Answers that their readers marked wrong. */
export function WrongList({ eyes, remedies }: { eyes: Eyes | null; remedies: Remedies }) {
  const say = useWords(words);
  const list = useWrongAnswers(eyes, true);
  const settle = useAct({
    act: ({ qaId }: WrongAnswer) =>
      answerOf(
        api.DELETE('/api/core/kb/questions/wrong/{qa_id}', {
          params: { path: { qa_id: qaId }, query: { ...eyes?.query } },
          headers: eyes?.headers ?? {},
        }),
      ),
    changes: [['policy', 'wrong']],
    done: () => say('settled'),
  });
  return (
    <Answers
      list={list}
      acts={{ remedies, settle: settle.run, settling: settle.pending }}
      none={say('noneWrong')}
    />
  );
}

function useColumns({ remedies, settle, settling }: ListActs): TableColumnsType<WrongAnswer> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'question',
        title: say('question'),
        render: (_, { question, answer, refusalReason }) => (
          <Flex vertical gap={4}>
            <strong className="wraps">
              <bdi>{question}</bdi>
            </strong>
            {answer === null ? (
              <span>
                <Tag>{say('refused')}</Tag>
                <bdi>{refusalReason}</bdi>
              </span>
            ) : (
              <span className="wraps library-answer">
                <bdi>{answer}</bdi>
              </span>
            )}
          </Flex>
        ),
      },
      {
        key: 'remark',
        title: say('remark'),
        render: (_, { feedbackNote }) => (
          <span className="wraps">
            <bdi>{feedbackNote}</bdi>
          </span>
        ),
      },
      { key: 'unknown', title: say('unknown'), render: (_, row) => <UnknownWords {...row} /> },
      {
        key: 'marked',
        title: say('marked'),
        render: (_, { feedbackAt }) => feedbackAt !== null && <Time at={feedbackAt} />,
      },
      {
        key: 'act',
        render: (_, row) => (
          <Acts
            row={row}
            remedies={remedies}
            settle={() => settle(row)}
            settling={settling}
            sure={say('sureWrong')}
          />
        ),
      },
    ],
    // The remedies are made anew each time and do the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [say, remedies.tenant, settle, settling],
  );
}
