import { Flex, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { alarmText } from './labels.tsx';
import { type Alarm, ALARMS } from './queries.ts';
import { words } from './words.ts';

/** Asks whether an alarm was dealt with, and what was done. @param alarm null: it is not asked */
export function ClearAlarm({ alarm, close }: { alarm: Alarm | null; close: () => void }) {
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
    changes: [ALARMS, ['now', 'alarms']],
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
          <bdi className="wrap">{alarmText(alarm, language)}</bdi>
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
