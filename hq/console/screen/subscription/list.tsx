import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Flex, type TableColumnsType, Tag, Typography } from 'antd';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { defineList, whole } from '../../list/define.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { RegisterConsumer } from './add.tsx';
import { ConsumerKeys } from './keys.tsx';
import { PauseConsumer } from './pause.tsx';
import { type Subscription, SUBSCRIPTIONS } from './queries.ts';
import { RemoveConsumer } from './remove.tsx';
import { words } from './words.ts';

interface Acts {
  turn: (subscription: Subscription) => void;
  remove: (subscription: Subscription) => void;
}

const Subscriptions = defineList<Subscription, Acts>({
  keyOf: ({ consumer }) => consumer,
  useColumns: (acts) => {
    const columns = useColumns();
    const act = useActs(acts);
    return act ? [...columns, act] : columns;
  },
});

/** Is a consumer behind, and when is it tried again? */
export function ConsumerList() {
  const say = useWords(words);
  const { can } = useSession();
  const [turning, turn] = useState<Subscription | null>(null);
  const [removing, remove] = useState<Subscription | null>(null);
  const [adding, setAdding] = useState(false);
  const registers = can('consumers.manage');
  const subscriptions = useQuery({
    ...LIVE,
    queryKey: SUBSCRIPTIONS,
    queryFn: async () => (await answerOf(api.GET('/api/core/events/subscriptions'))).items,
  });
  return (
    <>
      {registers && (
        <Flex justify="end">
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            {say('register')}
          </Button>
        </Flex>
      )}
      <Subscriptions
        list={whole(subscriptions, subscriptions.data)}
        acts={{ turn, remove }}
        none={say('none')}
      />
      <PauseConsumer subscription={turning} close={() => turn(null)} />
      <RemoveConsumer subscription={removing} close={() => remove(null)} />
      <RegisterConsumer open={adding} close={() => setAdding(false)} />
      {registers && <ConsumerKeys subscriptions={subscriptions.data ?? []} />}
    </>
  );
}

/** @returns null for who may do neither */
function useActs({ turn, remove }: Acts): TableColumnsType<Subscription>[number] | null {
  const say = useWords(words);
  const { can } = useSession();
  const [turns, removes] = [can('subscriptions.manage'), can('consumers.manage')];
  if (!turns && !removes) return null;
  return {
    key: 'act',
    align: 'end',
    render: (_, one) => (
      <Flex gap={4} justify="end">
        {turns && (
          <Button size="small" title={one.consumer} onClick={() => turn(one)}>
            {say(one.enabled ? 'pause' : 'resume')}
          </Button>
        )}
        {removes && (
          <Button
            size="small"
            danger
            icon={<DeleteOutlined />}
            aria-label={say('removeTitle', { consumer: one.consumer })}
            onClick={() => remove(one)}
          />
        )}
      </Flex>
    ),
  };
}

function useColumns(): TableColumnsType<Subscription> {
  const say = useWords(words);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        key: 'consumer',
        title: say('consumer'),
        render: (_, { consumer, tenantCode }) => (
          <Flex vertical className="name-cell">
            <Typography.Text ellipsis={{ tooltip: consumer }}>{consumer}</Typography.Text>
            <span className="quiet">{tenantCode ?? say('allTenants')}</span>
          </Flex>
        ),
      },
      {
        key: 'way',
        title: say('way'),
        render: (_, { pushUrl, enabled }) => (
          <Flex gap={4} wrap>
            <Tag>{say(pushUrl === null ? 'pull' : 'push')}</Tag>
            {!enabled && <Tag color="warning">{say('paused')}</Tag>}
          </Flex>
        ),
      },
      {
        key: 'lag',
        title: say('lag'),
        align: 'end',
        sorter: (a, b) => a.lag - b.lag,
        render: (_, { lag, lagCapped }) =>
          lag === 0 && !lagCapped ? (
            <span className="quiet">{say('upToDate')}</span>
          ) : (
            <Tag color="warning">
              {say('events', { count: `${number(lag, language)}${lagCapped ? '+' : ''}` })}
            </Tag>
          ),
      },
      { key: 'cursor', title: say('cursor'), align: 'end', dataIndex: 'cursor' },
      {
        key: 'success',
        title: say('lastSuccess'),
        render: (_, { push }) => push?.lastSuccessAt && <Time at={push.lastSuccessAt} />,
      },
      { key: 'next', title: say('next'), render: (_, { push }) => push?.nextAt && <Time at={push.nextAt} /> },
      {
        key: 'fault',
        title: say('fault'),
        render: (_, { push }) =>
          push && (
            <Flex vertical gap={2} align="start">
              {push.failures > 0 && <Tag color="error">{say('failures', { count: push.failures })}</Tag>}
              {push.lastError && (
                <Typography.Text className="delivery-error" ellipsis={{ tooltip: push.lastError }}>
                  {push.lastError}
                </Typography.Text>
              )}
            </Flex>
          ),
      },
    ],
    [say, language],
  );
}
