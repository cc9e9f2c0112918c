import { Button, Flex, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { TakenBy, useAlarmText } from './labels.tsx';
import { type Alarm, ALARMS } from './queries.ts';
import { words } from './words.ts';

/** What a person says of an alarm: that they take care of it, or that it was dealt with. */
export interface Settling {
  alarm: Alarm;
  how: 'take' | 'clear';
}

export type Settle = (settling: Settling) => void;

/** For who may, as long as it stands. */
export function AlarmActs({ alarm, settle }: { alarm: Alarm; settle: Settle }) {
  const say = useWords(words);
  const { can } = useSession();
  if (alarm.clearedAt !== null || !can('alarms.clear')) return null;
  return (
    <Flex gap={4} wrap>
      {(['take', 'clear'] as const).map((how) => (
        <Button key={how} size="small" onClick={() => settle({ alarm, how })}>
          {say(how)}
        </Button>
      ))}
    </Flex>
  );
}

/** Asks whether it is so, and what was or is done. @param settling null: it is not asked */
export function SettleAlarm({ settling, close }: { settling: Settling | null; close: () => void }) {
  const say = useWords(words);
  const textOf = useAlarmText();
  const { identity } = useSession();
  const [note, setNote] = useState('');
  const { run, pending } = useAct({
    act: async ({ alarm: { key, instance }, how }: Settling): Promise<Settling['how']> => {
      const said = note.trim() === '' ? {} : { note: note.trim() };
      const body = { key, instance, by: identity.name, ...said };
      if (how === 'take') await answerOf(api.POST('/api/core/alarms/take', { body }));
      else await answerOf(api.POST('/api/core/alarms/clear', { body }));
      return how;
    },
    changes: [ALARMS, ['now', 'alarms']],
    done: (how) => say(how === 'take' ? 'taken' : 'cleared'),
    then: close,
  });
  const take = settling?.how === 'take';
  return (
    <Modal
      open={settling !== null}
      title={say(take ? 'takeTitle' : 'clearTitle')}
      okText={say(take ? 'take' : 'clear')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      onCancel={close}
      onOk={() => settling && run(settling)}
      destroyOnHidden
    >
      {settling && (
        <Flex vertical gap="middle">
          <bdi className="wrap">{textOf(settling.alarm)}</bdi>
          <TakenBy alarm={settling.alarm} />
          <span className="quiet">{say(take ? 'takeWhy' : 'clearWhy')}</span>
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
