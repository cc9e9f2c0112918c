import { Link } from '@tanstack/react-router';
import { type TableColumnsType, Typography } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { eventWords } from '../webhook/event-words.ts';
import type { Delivery } from './queries.ts';
import { AnswerCode, DeliveryState } from './state.tsx';
import { words } from './words.ts';

export function useColumns(): TableColumnsType<Delivery> {
  const say = useWords(words);
  const kind = useWords(eventWords);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        key: 'time',
        title: say('time'),
        render: (_, delivery) => (
          <Link to="." search={(old: object) => ({ ...old, delivery: delivery.id })}>
            <Time at={delivery.time} />
          </Link>
        ),
      },
      { key: 'event', title: say('event'), render: (_, { event }) => kind(event) },
      { key: 'status', title: say('status'), render: (_, { status }) => <DeliveryState status={status} /> },
      {
        key: 'attempts',
        title: say('attempts'),
        align: 'end',
        render: (_, { attempts }) => say('ofFive', { count: attempts }),
      },
      {
        key: 'code',
        title: say('code'),
        render: (_, { response_code: code, attempts }) => attempts > 0 && <AnswerCode code={code} />,
      },
      {
        key: 'error',
        title: say('error'),
        render: (_, { last_error: english, last_error_zh: chinese }) => {
          const error = language === 'zh' ? (chinese ?? english) : english;
          return (
            error && (
              <Typography.Text className="delivery-error" ellipsis={{ tooltip: error }}>
                {error}
              </Typography.Text>
            )
          );
        },
      },
      {
        key: 'next',
        title: say('next'),
        render: (_, { nextAttemptAt: at }) => at !== null && <Time at={at} />,
      },
    ],
    [say, kind, language],
  );
}
