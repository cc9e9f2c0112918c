import { Form, Modal } from 'antd';
import { useRef } from 'react';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { useStateName } from './labels.tsx';
import { MoveFields } from './move-fields.tsx';
import { cameSecond, lastMover, sendMove, type Move, type Moved, type MoveInput } from './moves.ts';
import { tasksKey, type Task } from './queries.ts';
import { words } from './words.ts';

/** Moves one task, whose present state stays shown behind it until the hub has answered. */
export function MoveDialog({ task, move, close }: { task: Task; move: Move; close: () => void }) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<MoveInput>();
  const { run, pending } = useMove(task, move, close);
  return (
    <Modal
      open
      title={`${sayWord(move)} · ${say('number', { id: task.id })}`}
      okText={sayWord(move)}
      cancelText={say('cancel')}
      okButtonProps={{ danger: move === 'cancelTask' }}
      confirmLoading={pending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <p className="wrap">
        <bdi>{task.title}</bdi>
      </p>
      <Form form={form} layout="vertical" onFinish={run} disabled={pending}>
        <MoveFields move={move} />
      </Form>
    </Modal>
  );
}

function useMove(task: Task, move: Move, close: () => void) {
  const say = useWords(detailWords);
  const nameOf = useStateName();
  const { identity } = useSession();
  const first = useRef<Awaited<ReturnType<typeof lastMover>>>(null);
  return useAct<MoveInput, Moved>({
    act: async (input) => {
      try {
        return await sendMove(task, move, input, identity.name);
      } catch (error) {
        if (cameSecond(error)) first.current = await lastMover(task.id);
        throw error;
      }
    },
    changes: [tasksKey],
    done: (moved) =>
      'order' in moved
        ? say('ordered', { site: moved.order.instance })
        : say('nowIs', { state: nameOf(moved.state, moved.type) }),
    conflict: () => {
      const { current } = first;
      close();
      return current ? say('first', { who: current.by, state: nameOf(current.state, task.type) }) : undefined;
    },
    then: close,
  });
}
