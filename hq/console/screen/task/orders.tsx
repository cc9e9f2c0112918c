import { Flex, Tag } from 'antd';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useCameraFault } from '../camera/fault.ts';
import { detailWords } from './detail-words.ts';
import type { TaskDetail } from './queries.ts';

type Order = NonNullable<TaskDetail['orders']>[number];

const KIND = {
  create: 'create',
  transition: 'orderTransition',
  step: 'step',
  edge_note: 'edge_note',
  body: 'body',
} as const;
const STATE = {
  pending: { color: 'processing', word: 'pending' },
  done: { color: 'success', word: 'done' },
  refused: { color: 'error', word: 'orderRefused' },
  unclear: { color: 'warning', word: 'unclear' },
} as const;

/** What headquarters ordered of the site that keeps the task, and what came of it. */
export function Orders({ orders }: { orders: readonly Order[] }) {
  const say = useWords(detailWords);
  const pushText = usePushText();
  if (orders.length === 0) return <span className="quiet">{say('noOrders')}</span>;
  return (
    <Flex vertical gap="middle">
      {orders.map(({ id, kind, state, reason, result, by, createdAt, settledAt, instance }) => (
        <div key={id} className="wrap">
          <Flex gap="small" wrap align="center">
            <strong>{say(KIND[kind])}</strong>
            <Tag color={STATE[state].color}>{say(STATE[state].word)}</Tag>
          </Flex>
          {reason !== null && <bdi>{reason}</bdi>}
          {result !== null && <div>{pushText(result)}</div>}
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
      ))}
    </Flex>
  );
}

/** Whether the camera heard, in words. */
export function usePushText() {
  const say = useWords(detailWords);
  const fault = useCameraFault();
  return ({ pushedToEdge, pushSkipped, pushError }: NonNullable<Order['result']>): string => {
    if (pushedToEdge) return say('pushed');
    return pushSkipped === null
      ? say('notPushed', { error: pushError === null ? '—' : fault(pushError) })
      : say('skipped');
  };
}
