import { ReloadOutlined } from '@ant-design/icons';
import { Button, Descriptions, Drawer, Flex, Popconfirm, Skeleton, Timeline, Typography } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { eventWords } from '../webhook/event-words.ts';
import { DELIVERIES, WEBHOOKS } from '../webhook/queries.ts';
import { type DeliveryInFull, useDelivery } from './queries.ts';
import { AnswerCode, DeliveryState } from './state.tsx';
import { words } from './words.ts';

/** One delivery beside the list: each attempt, and what was sent. @param open shows another */
export function DeliveryDetail({
  id,
  close,
  open,
}: {
  id: string | undefined;
  close: () => void;
  open: (id: string) => void;
}) {
  const say = useWords(words);
  const delivery = useDelivery(id);
  const { data } = delivery;
  return (
    <Drawer
      open={id !== undefined}
      onClose={close}
      title={say('one')}
      size="min(640px, 100vw)"
      extra={data && <Resend delivery={data} open={open} />}
    >
      <Flex vertical gap="middle">
        <AsOf query={delivery} />
        {delivery.isLoading && <Skeleton active />}
        {data && <Facts delivery={data} />}
        {data && <Attempts delivery={data} />}
        {data && <Sent body={data.body} />}
      </Flex>
    </Drawer>
  );
}

function Resend({ delivery, open }: { delivery: DeliveryInFull; open: (id: string) => void }) {
  const say = useWords(words);
  const { can } = useSession();
  const act = useAct({
    act: (id: string) =>
      answerOf(api.POST('/api/integration/deliveries/{id}/resend', { params: { path: { id } } })),
    changes: [WEBHOOKS, DELIVERIES],
    done: () => say('resent'),
    then: ({ id }) => open(id),
  });
  // A webhook that was deleted is sent nothing, and an event that was erased is no more.
  if (!can('integration.manage') || delivery.webhookName === null || delivery.body === null) return null;
  return (
    <Popconfirm
      title={say('resendAsk')}
      description={say('resendWhy')}
      okText={say('resend')}
      cancelText={say('cancel')}
      onConfirm={() => act.run(delivery.id)}
    >
      <Button icon={<ReloadOutlined />} loading={act.pending}>
        {say('resend')}
      </Button>
    </Popconfirm>
  );
}

function Facts({ delivery }: { delivery: DeliveryInFull }) {
  const say = useWords(words);
  const kind = useWords(eventWords);
  const { language } = useLanguage();
  const { event, status, attempts, time, nextAttemptAt, settledAt } = delivery;
  const error = language === 'zh' ? (delivery.last_error_zh ?? delivery.last_error) : delivery.last_error;
  const items = [
    { key: 'event', label: say('event'), children: `${kind(event)} · ${event}` },
    { key: 'status', label: say('status'), children: <DeliveryState status={status} /> },
    { key: 'attempts', label: say('attempts'), children: say('ofFive', { count: attempts }) },
    { key: 'time', label: say('time'), children: <Time at={time} /> },
    ...(nextAttemptAt ? [{ key: 'next', label: say('next'), children: <Time at={nextAttemptAt} /> }] : []),
    ...(settledAt ? [{ key: 'end', label: say('settled'), children: <Time at={settledAt} /> }] : []),
    ...(error ? [{ key: 'error', label: say('error'), children: error }] : []),
    {
      key: 'message',
      label: say('message'),
      children: (
        <>
          <Typography.Text copyable code className="breaks">
            {delivery.messageId}
          </Typography.Text>
          <div className="quiet">{say('messageWhy')}</div>
        </>
      ),
    },
  ];
  return <Descriptions column={1} bordered size="small" items={items} className="breaks facts" />;
}

/** In their order; one whose outcome nobody knows is told as that. */
function Attempts({ delivery: { attempts, made } }: { delivery: DeliveryInFull }) {
  const say = useWords(words);
  const known = new Map(made.map((one) => [one.attempt, one]));
  const numbers = Array.from({ length: attempts }, (_, index) => index + 1);
  return (
    <section>
      <Typography.Title level={2} className="section">
        {say('each')}
      </Typography.Title>
      {attempts === 0 && <span className="quiet">{say('noneYet')}</span>}
      <Timeline
        items={numbers.map((no) => {
          const one = known.get(no);
          const color = one === undefined ? 'gray' : one.error === null ? 'green' : 'red';
          return { key: no, color, content: <Attempt no={no} one={one} /> };
        })}
      />
    </section>
  );
}

function Attempt({ no, one }: { no: number; one: DeliveryInFull['made'][number] | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Flex vertical gap={4} className="breaks">
      <Flex gap="small" wrap align="center">
        <strong>{say('attempt', { no })}</strong>
        {one && <Time at={one.at} />}
        {one && <AnswerCode code={one.response_code} />}
      </Flex>
      {one === undefined ? (
        <span className="quiet">{say('unknownEnd')}</span>
      ) : (
        <span>{(language === 'zh' ? one.error_zh : null) ?? one.error ?? say('taken')}</span>
      )}
      {one?.responseBody && (
        <details>
          <summary>{say('answered')}</summary>
          <pre className="bytes">{one.responseBody}</pre>
        </details>
      )}
    </Flex>
  );
}

function Sent({ body }: { body: string | null }) {
  const say = useWords(words);
  return (
    <section>
      <Typography.Title level={2} className="section">
        {say('sent')}
      </Typography.Title>
      {body === null ? <span className="quiet">{say('erased')}</span> : <pre className="bytes">{body}</pre>}
    </section>
  );
}
