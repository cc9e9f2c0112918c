import { useQuery } from '@tanstack/react-query';
import { Alert, Button, DatePicker, Flex, Skeleton } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { AsOf } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import type { Draft } from './draft.ts';
import { RehearsalResult } from './rehearsal-result.tsx';
import { rehearsalWords } from './rehearsal-words.ts';

interface Order {
  draft: Draft;
  since: string;
  until: string;
}

const past = (days: number): [Dayjs, Dayjs] => [dayjs(timeNow()).subtract(days, 'day'), dayjs(timeNow())];

/** What a draft would have made of the recorded events of a period. @param draft null: it has faults */
export function RehearsalPanel({ draft }: { draft: Draft | null }) {
  const say = useWords(rehearsalWords);
  const [period, choose] = useState<[Dayjs, Dayjs]>(() => past(7));
  const [order, give] = useState<Order | null>(null);
  const query = useRehearsal(order);
  const [since, until] = period;
  const old = order !== null && JSON.stringify(order.draft) !== JSON.stringify(draft);
  return (
    <Flex vertical gap="middle">
      <span className="quiet">{say('about')}</span>
      <Flex gap="small" wrap>
        <DatePicker.RangePicker
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm Z"
          className="filter-period"
          aria-label={say('period')}
          allowClear={false}
          value={period}
          presets={[
            { label: say('lastDay'), value: () => past(1) },
            { label: say('lastWeek'), value: () => past(7) },
            { label: say('lastMonth'), value: () => past(30) },
          ]}
          onChange={(range) => range?.[0] && range[1] && choose([range[0], range[1]])}
        />
        <Button
          type="primary"
          disabled={draft === null}
          loading={query.isFetching}
          onClick={() => draft && give({ draft, since: since.toISOString(), until: until.toISOString() })}
        >
          {say('run')}
        </Button>
      </Flex>
      {draft === null && <Alert type="warning" showIcon title={say('faulty')} />}
      <AsOf query={query} />
      {query.isFetching && !query.data && <Skeleton active />}
      {old && query.data && <Alert type="warning" showIcon title={say('changedSince')} />}
      {query.data && <RehearsalResult rehearsal={query.data} />}
    </Flex>
  );
}

const useRehearsal = (order: Order | null) =>
  useQuery({
    queryKey: ['rehearsal', order],
    enabled: order !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => {
      const { draft, since, until } = order as Order;
      return answerOf(
        api.POST('/api/agent/rules/rehearse', { body: { rules: [draft], since, until }, signal }),
      );
    },
  });
