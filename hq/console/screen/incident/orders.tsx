import { Alert, Button, Card, Flex, Tag } from 'antd';
import { useState } from 'react';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { orderWords } from './order-words.ts';
import type { IncidentDetail } from './queries.ts';

export type Order = NonNullable<IncidentDetail['orders']>[number];

const COLOR = { pending: 'processing', done: 'success', refused: 'error', unclear: 'warning' } as const;

/** The order that waits for the site; while it does, nothing else is decided on the group. */
export const openOrder = ({ orders = [] }: IncidentDetail): Order | undefined =>
  orders.find(({ state }) => state === 'pending');

/** What headquarters ordered of the site that keeps the group, and what came of it. */
export function Orders({ site, orders }: { site: string; orders: readonly Order[] }) {
  const say = useWords(orderWords);
  const siteName = useSiteName();
  return (
    <Card size="small" title={say('orders', { site: siteName(site) })}>
      {orders.length === 0 ? (
        <span className="quiet">{say('none')}</span>
      ) : (
        <Flex vertical gap="middle">
          {orders.map((order) => (
            <OneOrder key={order.id} order={order} />
          ))}
        </Flex>
      )}
    </Card>
  );
}

function OneOrder({ order }: { order: Order }) {
  const say = useWords(orderWords);
  const { kind, state, by, createdAt, settledAt, instance } = order;
  const reason = useReason(order);
  return (
    <div className="wrap">
      <Flex gap="small" wrap align="center">
        <strong>{say(kind)}</strong>
        <Tag color={COLOR[state]}>{say(state)}</Tag>
      </Flex>
      {reason !== null && <bdi>{reason}</bdi>}
      <div className="quiet">
        <bdi>{by}</bdi> <Time at={createdAt} site={instance} />
        {settledAt !== null && (
          <>
            {' → '}
            <Time at={settledAt} site={instance} />
          </>
        )}
      </div>
    </div>
  );
}

/** Why the site did not carry it out, in the language of who reads it. */
function useReason({ reason, reasonZh }: Order): string | null {
  const { language } = useLanguage();
  return language === 'zh' ? (reasonZh ?? reason) : reason;
}

/**
 * What became of the last order, where a person has to wait or to choose.
 * @param again orders the same of the group as it is now; absent: that is not possible any more
 */
export function LastOrder({ order, again }: { order: Order; again: (() => void) | undefined }) {
  const say = useWords(orderWords);
  const siteName = useSiteName();
  const reason = useReason(order);
  const [left, leave] = useState<string | null>(null);
  const site = siteName(order.instance);
  const what = say(order.kind);
  if (order.state === 'pending')
    return <Alert type="info" showIcon title={say('waits', { what, site, by: order.by })} />;
  if (order.state === 'done' || left === order.id) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={say(order.state === 'refused' ? 'wasRefused' : 'isUnclear', { what, site, by: order.by })}
      description={
        <Flex vertical gap="small" align="start">
          <bdi>{reason}</bdi>
          <Flex gap="small" wrap>
            {again && (
              <Button size="small" type="primary" onClick={again}>
                {say('again', { what })}
              </Button>
            )}
            <Button size="small" onClick={() => leave(order.id)}>
              {say('leaveAsThere')}
            </Button>
          </Flex>
        </Flex>
      }
    />
  );
}
