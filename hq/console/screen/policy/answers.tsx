import { DatePicker, Flex, Input, Select, type TableColumnsType, Tag } from 'antd';
import dayjs from 'dayjs';
import { useMemo } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { AnswerDrawer } from './answer.tsx';
import { answerWords } from './answer-words.ts';
import { useEyes } from './eyes.ts';
import { Feedback } from './feedback.tsx';
import { answerFilters } from './filters.ts';
import { LibraryFrame } from './frame.tsx';
import { type QaAnswer, useAnswers } from './queries.ts';

const Answers = defineList<QaAnswer, (qa: number) => void>({
  keyOf: ({ qaId }) => String(qaId),
  useColumns,
  head: 'question',
  useOpen:
    (open) =>
    ({ qaId }) =>
      open(qaId),
});

/** What was asked of the library, what was answered, and what people thought of it. */
export function PolicyAnswers() {
  const say = useWords(answerWords);
  const eyes = useEyes();
  const { filters, change, clearOf } = useFilters(answerFilters);
  const { asker, feedback, since, until } = filters;
  const list = useAnswers(eyes, {
    ...(asker === undefined ? {} : { asker }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  });
  return (
    <LibraryFrame tab="answers">
      <AnswerFilters everyone={eyes?.all ?? false} />
      <Answers
        list={list}
        acts={(qa) => change({ qa }, { push: true })}
        none={say('none')}
        clear={clearOf('asker', 'feedback', 'since', 'until')}
      />
      {eyes && <AnswerDrawer eyes={eyes} id={filters.qa} close={() => change({ qa: undefined })} />}
    </LibraryFrame>
  );
}

/** @param everyone whether the log of every account is shown, of which one may be chosen */
function AnswerFilters({ everyone }: { everyone: boolean }) {
  const say = useWords(answerWords);
  const { identity } = useSession();
  const { filters, change } = useFilters(answerFilters);
  const { asker, feedback, since, until } = filters;
  return (
    <Flex gap="small" wrap>
      {everyone && identity.tenantCode === null && (
        <Input.Search
          key={asker}
          className="filter-text"
          placeholder={say('findAsker')}
          aria-label={say('findAsker')}
          defaultValue={asker}
          maxLength={128}
          allowClear
          onSearch={(one) => change({ asker: one.trim() === '' ? undefined : one.trim() })}
        />
      )}
      <Select
        className="filter-choice"
        placeholder={say('feedback')}
        aria-label={say('feedback')}
        allowClear
        value={feedback}
        options={(['useful', 'wrong'] as const).map((value) => ({ value, label: say(value) }))}
        onChange={(one?: 'useful' | 'wrong') => change({ feedback: one })}
      />
      <DatePicker.RangePicker
        aria-label={say('period')}
        allowEmpty
        value={[since ? dayjs(since) : null, until ? dayjs(until).subtract(1, 'ms') : null]}
        onChange={(days) =>
          change({
            since: days?.[0]?.startOf('day').toISOString(),
            until: days?.[1]?.add(1, 'day').startOf('day').toISOString(),
          })
        }
      />
    </Flex>
  );
}

function useColumns(open: (qa: number) => void): TableColumnsType<QaAnswer> {
  const say = useWords(answerWords);
  return useMemo(
    () => [
      { key: 'asked', title: say('asked'), render: (_, { createdAt }) => <Time at={createdAt} /> },
      {
        key: 'asker',
        title: say('asker'),
        render: (_, { asker }) => (
          <span className="library-cut-short" title={asker}>
            {asker}
          </span>
        ),
      },
      {
        key: 'question',
        title: say('question'),
        render: (_, { qaId, question }) => (
          <a className="library-cut" role="button" tabIndex={0} title={question} onClick={() => open(qaId)}>
            {question}
          </a>
        ),
      },
      {
        key: 'answer',
        title: say('answer'),
        render: (_, { answer, refusalReason }) =>
          answer === null ? (
            <Tag title={refusalReason ?? ''}>{say('refused')}</Tag>
          ) : (
            <span className="library-cut">{answer}</span>
          ),
      },
      {
        key: 'citations',
        title: say('citations'),
        align: 'end',
        render: (_, { citations }) => citations.length,
      },
      {
        key: 'feedback',
        title: say('feedback'),
        render: (_, { feedback }) => <Feedback value={feedback} />,
      },
    ],
    // What opens a row is made anew each time and does the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [say],
  );
}
