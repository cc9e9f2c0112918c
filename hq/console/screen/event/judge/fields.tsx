import { Form, Input, InputNumber, Radio } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../../word/language.tsx';
import { verdicts } from '../filters.ts';
import { words } from '../words.ts';
import type { Judgement } from './judgement.ts';
import { verdictWords } from './verdict-words.ts';

/**
 * What is said with a judgement, within a form of `Judgement`.
 * @param correcting a correction says why
 * @param children what goes with the verdict that is chosen, ahead of the note
 */
export function JudgeFields({ correcting, children }: { correcting: boolean; children: ReactNode }) {
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
      {children}
      <Form.Item<Judgement>
        name="note"
        label={say('note')}
        extra={say('noteHint')}
        dependencies={['verdict']}
        rules={[{ required: noteNeeded, whitespace: true, message: say('noteNeeded') }]}
      >
        <Input.TextArea rows={2} maxLength={4000} />
      </Form.Item>
    </>
  );
}
