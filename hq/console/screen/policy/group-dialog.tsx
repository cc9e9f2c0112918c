import { Form, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { type Synonyms, useChange } from './synonym-queries.ts';
import { synonymWords } from './synonym-words.ts';

/** One group of words. @param at its place in the table; `new`: one more; null: closed */
export function GroupDialog({
  table,
  at,
  words = [],
  close,
}: {
  table: Synonyms;
  at: number | 'new' | null;
  /** What a new group begins with. */
  words?: string[];
  close: () => void;
}) {
  const say = useWords(synonymWords);
  const { groups, shipped } = table;
  const change = useChange(table, { quiet: true, then: close });
  const act = {
    ...change,
    run: ({ words: chosen }: { words: string[] }) =>
      change.run({
        groups:
          at === 'new' ? [...groups, chosen] : groups.map((group, place) => (place === at ? chosen : group)),
        shipped,
      }),
  };
  return (
    <FormDialog
      open={at !== null}
      title={say(at === 'new' ? 'add' : 'change')}
      ok={say('save')}
      initial={{ words: typeof at === 'number' ? (groups[at] ?? []) : words }}
      act={act}
      close={close}
    >
      <Form.Item
        name="words"
        label={say('words')}
        extra={say('hint')}
        rules={[{ type: 'array', min: 2, required: true, message: say('two') }]}
      >
        <Select
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', '，', '、', ' ']}
          maxCount={20}
        />
      </Form.Item>
    </FormDialog>
  );
}
