import { BellOutlined, CheckCircleFilled } from '@ant-design/icons';
import { Alert, App, Button, Card, Flex, Tag } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Nothing } from '../../page/nothing.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { turnOff, turnOn } from './device.ts';
import { type Device, MINE, type MyCalls, useOwnDevice } from './queries.ts';
import { words } from './words.ts';

/** The browsers that take my calls, this one first. */
export function Devices({ mine }: { mine: MyCalls }) {
  const say = useWords(words);
  const own = useOwnDevice();
  const { ability = 'off', hash = null } = own.data ?? {};
  const here = mine.devices.find(({ endpointHash }) => endpointHash === hash) ?? null;
  const others = mine.devices.filter((device) => device !== here);
  return (
    <>
      <Card size="small" title={say('thisDevice')}>
        {own.data && <ThisDevice ability={ability} here={here} pushKey={mine.pushKey} />}
      </Card>
      <Card size="small" title={say('devices')}>
        {mine.devices.length === 0 && <Nothing none={say('noDevices')} />}
        <Flex vertical gap="middle">
          {here && <Row device={here} own />}
          {others.map((device) => (
            <Row key={device.id} device={device} own={false} />
          ))}
        </Flex>
      </Card>
    </>
  );
}

function ThisDevice({
  ability,
  here,
  pushKey,
}: {
  ability: 'unable' | 'denied' | 'off' | 'on';
  here: Device | null;
  pushKey: string;
}) {
  const say = useWords(words);
  const { notification } = App.useApp();
  const act = useAct({
    act: async () => {
      try {
        await turnOn(pushKey);
      } catch (error) {
        // What the browser's push service says is its own words.
        if (!(error instanceof DOMException)) throw error;
        notification.error({ title: say('refusedByBrowser', { why: error.message }), duration: 0 });
      }
    },
    changes: [MINE],
    done: () => null,
  });
  if (ability === 'unable' || ability === 'denied')
    return <Alert type="info" showIcon title={say(ability)} />;
  if (ability === 'on' && here)
    return (
      <Flex gap="small" align="center" wrap>
        <CheckCircleFilled className="good" />
        <strong>{say('on')}</strong>
      </Flex>
    );
  return (
    <Flex vertical gap="small" align="start">
      <Button
        type="primary"
        size="large"
        icon={<BellOutlined />}
        loading={act.pending}
        onClick={() => act.run(undefined)}
      >
        {say('turnOn')}
      </Button>
      <span className="quiet">{say('turnOnWhy')}</span>
    </Flex>
  );
}

function Row({ device, own }: { device: Device; own: boolean }) {
  const say = useWords(words);
  const { label, host, createdAt, lastSentAt, lastError } = device;
  const { trial, remove } = useDeviceActs(device, own);
  return (
    <Flex gap="small" wrap justify="space-between" align="center">
      <Flex vertical>
        <span>
          <strong>{label || say('unnamed')}</strong>{' '}
          {own && <Tag color="processing">{say('thisDevice')}</Tag>}
        </span>
        <span className="quiet wrap">
          {host} · {say('added')} <Time at={createdAt} />
        </span>
        <span className="quiet">
          {lastSentAt === null ? (
            say('never')
          ) : (
            <>
              {say('lastSent')} <Time at={lastSentAt} ago />
            </>
          )}
        </span>
        {lastError !== null && <span className="bad wrap">{lastError}</span>}
      </Flex>
      <Flex gap="small">
        <Button loading={trial.pending} onClick={() => trial.run(undefined)}>
          {say('tryIt')}
        </Button>
        <Button danger loading={remove.pending} onClick={() => remove.run(undefined)}>
          {say('remove')}
        </Button>
      </Flex>
    </Flex>
  );
}

function useDeviceActs({ id }: Device, own: boolean) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { message, notification } = App.useApp();
  const params = { path: { id } };
  const trial = useAct({
    act: () => answerOf(api.POST('/api/core/duty/devices/{id}/test', { params })),
    changes: [MINE],
    done: () => null,
    then: ({ taken, status, error, errorZh }) => {
      if (taken) message.success(say('tried', { status: status ?? '' }));
      else
        notification.error({
          title: say('notTried'),
          description: language === 'zh' ? (errorZh ?? error) : error,
          duration: 0,
        });
    },
  });
  const remove = useAct({
    act: async () => {
      if (own) await turnOff();
      else await answerOf(api.DELETE('/api/core/duty/devices/{id}', { params }));
    },
    changes: [MINE],
    done: () => say('removed'),
  });
  return { trial, remove };
}
