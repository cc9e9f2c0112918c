import { Checkbox, Flex, Form } from 'antd';
import { useWords } from '../../../word/language.tsx';
import { Due } from '../../task/labels.tsx';
import type { Timeline } from '../queries.ts';
import type { Judgement } from './judgement.ts';
import { sendWords } from './send-words.ts';

type Task = Timeline['tasks'][number];

/** Tasks that a false alarm cancels, each of which can be kept, within a form of `Judgement`. */
export function SettleFields({ errands }: { errands: readonly Task[] }) {
  const say = useWords(sendWords);
  if (errands.length === 0) return null;
  return (
    <Form.Item<Judgement> name="kept" label={say('settles')} extra={say('settlesHint')} initialValue={[]}>
      <Settled errands={errands} />
    </Form.Item>
  );
}

function Settled({
  errands,
  value = [],
  onChange,
}: {
  errands: readonly Task[];
  /** Ids of those that stay; given by the form. */
  value?: readonly number[];
  onChange?: (kept: number[]) => void;
}) {
  return (
    <Flex vertical gap={4}>
      {errands.map((task) => (
        <Checkbox
          key={task.id}
          checked={!value.includes(task.id)}
          onChange={({ target }) => {
            const others = value.filter((id) => id !== task.id);
            onChange?.(target.checked ? others : [...others, task.id]);
          }}
        >
          <Errand task={task} />
        </Checkbox>
      ))}
    </Flex>
  );
}

/** Who is sent with what, and by when. */
export function Errand({ task }: { task: Task }) {
  return (
    <span className="wrap">
      <bdi>{[task.assigneeOrg, task.title].filter(Boolean).join(' · ')}</bdi> <Due task={task} />
    </span>
  );
}
