import { Form, Input, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { resultCodes } from './filters.ts';
import type { Move, MoveInput } from './moves.ts';
import { words } from './words.ts';

/** Undoing what another did, or leaving it undone, needs a reason. */
const NEEDS_NOTE: readonly Move[] = ['sendBack', 'cancelTask'];

/** What is said with a move, within a form of `MoveInput`. */
export function MoveFields({ move }: { move: Move }) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  return (
    <>
      {move === 'complete' && (
        <Form.Item<MoveInput>
          name="resultCode"
          label={say('resultCode')}
          rules={[{ required: true, message: say('needed') }]}
        >
          <Select options={resultCodes.map((value) => ({ value, label: sayWord(value) }))} autoFocus />
        </Form.Item>
      )}
      <Form.Item<MoveInput>
        name="note"
        label={say('remark')}
        rules={[{ required: NEEDS_NOTE.includes(move), whitespace: true, message: say('remarkNeeded') }]}
      >
        <Input.TextArea rows={3} maxLength={4000} />
      </Form.Item>
    </>
  );
}
