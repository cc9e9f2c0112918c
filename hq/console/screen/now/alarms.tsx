import { CheckOutlined, ExclamationCircleFilled, WarningFilled } from '@ant-design/icons';
import { Button, Flex, Input, Modal, Tag } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useAlarms, type Alarm } from './queries.ts';
import { Section } from './section.tsx';
import { words } from './words.ts';

const SHOWN = 10;

export function Alarms() {
  const say = useWords(words);
  const { can } = useSession();
  const alarms = useAlarms();
  const [clearing, clear] = useState<Alarm | null>(null);
  return (
    <>
      <Section
        title={say('alarms')}
        query={alarms}
        keyOf={({ key, instance }) => `${instance} ${key}`}
        line={(alarm) => (
          <AlarmLine alarm={alarm} clear={can('alarms.clear') ? () => clear(alarm) : undefined} />
        )}
        urgent={alarms.data?.items.some(({ severity }) => severity === 'critical') ?? false}
        shown={SHOWN}
      />
      <ClearDialog key={clearing?.key} alarm={clearing} close={() => clear(null)} />
    </>
  );
}

function AlarmLine({ alarm, clear }: { alarm: Alarm; clear: (() => void) | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { severity, message, messageZh, instance, tenantCode, raisedAt, lastAt, count } = alarm;
  const critical = severity === 'critical';
  return (
    <Flex gap="small" align="start" justify="space-between">
      <div className="wrap">
        <Flex gap="small" wrap align="center">
          <Tag
            color={critical ? 'error' : 'warning'}
            icon={critical ? <WarningFilled /> : <ExclamationCircleFilled />}
          >
            {say(severity)}
          </Tag>
          <bdi className="quiet">{[instance, tenantCode].filter(Boolean).join(' · ')}</bdi>
        </Flex>
        <bdi>{language === 'zh' ? (messageZh ?? message) : message}</bdi>
        <Flex gap="small" wrap className="quiet">
          <span>
            {say('since')} <Time at={raisedAt} site={instance} />
          </span>
          {count > 1 && (
            <span>
              {say('times', { count })}, {say('last')} <Time at={lastAt} site={instance} ago />
            </span>
          )}
        </Flex>
      </div>
      {clear && (
        <Button size="small" icon={<CheckOutlined />} onClick={clear}>
          {say('clear')}
        </Button>
      )}
    </Flex>
  );
}

function ClearDialog({ alarm, close }: { alarm: Alarm | null; close: () => void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { identity } = useSession();
  const [note, setNote] = useState('');
  const { run, pending } = useAct({
    act: ({ key, instance }: Alarm) =>
      answerOf(
        api.POST('/api/core/alarms/clear', {
          body: { key, instance, by: identity.name, ...(note.trim() === '' ? {} : { note: note.trim() }) },
        }),
      ),
    changes: [['now', 'alarms'], ['alarms']],
    done: () => say('cleared'),
    then: close,
  });
  return (
    <Modal
      open={alarm !== null}
      title={say('clearTitle')}
      okText={say('clear')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      onCancel={close}
      onOk={() => alarm && run(alarm)}
      destroyOnHidden
    >
      {alarm && (
        <Flex vertical gap="middle">
          <bdi className="wrap">{language === 'zh' ? (alarm.messageZh ?? alarm.message) : alarm.message}</bdi>
          <span className="quiet">{say('clearWhy')}</span>
          <Input.TextArea
            rows={2}
            maxLength={2000}
            autoFocus
            placeholder={say('note')}
            aria-label={say('note')}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </Flex>
      )}
    </Modal>
  );
}
