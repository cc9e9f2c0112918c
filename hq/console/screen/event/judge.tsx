import { Alert, Button, Flex, Form, Input, InputNumber, Modal, Radio } from 'antd';
import { useState, type KeyboardEvent } from 'react';
import { useWords } from '../../word/language.tsx';
import { EventHead } from './head.tsx';
import { verdicts } from './filters.ts';
import { useJudge, type Judgement } from './judging.ts';
import type { Event } from './queries.ts';
import { verdictWords } from './verdict-words.ts';
import { words } from './words.ts';

/**
 * Judges an event, or corrects its verdict. No single key decides: a verdict is chosen, and Ctrl+Enter sends.
 * @param next goes on to another event after it was recorded; absent: there is none
 */
export function JudgeDialog({
  event,
  correcting = false,
  close,
  next,
}: {
  event: Event | null;
  correcting?: boolean;
  close: () => void;
  next?: (() => void) | undefined;
}) {
  const say = useWords(verdictWords);
  const title = event && say(correcting ? 'correctTitle' : 'judgeTitle', { id: event.id });
  return (
    <Modal open={event !== null} onCancel={close} footer={null} title={title} width={620} destroyOnHidden>
      {event && <JudgeForm key={event.id} event={event} correcting={correcting} close={close} next={next} />}
    </Modal>
  );
}

function JudgeForm({
  event,
  correcting,
  close,
  next,
}: {
  event: Event;
  correcting: boolean;
  close: () => void;
  next: (() => void) | undefined;
}) {
  const say = useWords(verdictWords);
  const [form] = Form.useForm<Judgement>();
  const [goOn, setGoOn] = useState(false);
  const { run, pending, first } = useJudge({
    event,
    correcting,
    recorded: () => (goOn && next ? next() : close()),
  });
  const send = (further: boolean): void => {
    setGoOn(further);
    form.submit();
  };
  const pressed = (key: KeyboardEvent): void => {
    if (key.key !== 'Enter' || !(key.ctrlKey || key.metaKey)) return;
    key.preventDefault();
    send(key.shiftKey && next !== undefined);
  };
  return (
    <Flex vertical gap="middle" onKeyDown={pressed}>
      <EventHead event={event} />
      {first !== null && <Alert type="warning" showIcon title={first} role="alert" />}
      <Form form={form} layout="vertical" onFinish={run} disabled={pending || first !== null}>
        <JudgeFields correcting={correcting} />
      </Form>
      <Flex gap="small" wrap justify="end">
        <Button onClick={close}>{say('cancel')}</Button>
        {first === null && (
          <Button type={next ? 'default' : 'primary'} loading={pending} onClick={() => send(false)}>
            {say('send')}
          </Button>
        )}
        {first === null && next && (
          <Button type="primary" loading={pending} onClick={() => send(true)}>
            {say('sendNext')}
          </Button>
        )}
      </Flex>
    </Flex>
  );
}

function JudgeFields({ correcting }: { correcting: boolean }) {
  const say = useWords(verdictWords);
  const sayWord = useWords(words);
  const chosen = Form.useWatch<Judgement['verdict'] | undefined>('verdict');
  const noteNeeded = correcting || chosen === 'false_alarm';
  return (
    <>
      <Form.Item<Judgement> name="verdict" rules={[{ required: true, message: say('choose') }]}>
        <Radio.Group aria-label={say('choose')}>
          {verdicts.map((value, index) => (
            <Radio key={value} value={value} autoFocus={index === 0}>
              {sayWord(value)}
            </Radio>
          ))}
        </Radio.Group>
      </Form.Item>
      {chosen === 'merged' && (
        <Form.Item<Judgement>
          name="into"
          label={say('into')}
          rules={[{ required: true, message: say('intoNeeded') }]}
        >
          <InputNumber min={1} precision={0} controls={false} />
        </Form.Item>
      )}
      <Form.Item<Judgement>
        name="note"
        label={say('note')}
        extra={say('noteHint')}
        dependencies={['verdict']}
        rules={[{ required: noteNeeded, whitespace: true, message: say('noteNeeded') }]}
      >
        <Input.TextArea rows={3} maxLength={4000} />
      </Form.Item>
    </>
  );
}
