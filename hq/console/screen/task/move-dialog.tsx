import { Form, Modal } from 'antd';
import { useState } from 'react';
import { useAct } from '../../page/act.ts';
import { Overtaken } from '../../page/overtaken.tsx';
import { words as pageWords } from '../../page/words.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { detailWords } from './detail-words.ts';
import { useStateName } from './labels.tsx';
import { MoveFields } from './move-fields.tsx';
import {
  lastMover,
  type Move,
  type Moved,
  MovedMeanwhile,
  type MoveInput,
  movesOf,
  sendMove,
} from './moves.ts';
import { type Task, tasksKey, type TaskState, useTask } from './queries.ts';
import { words } from './words.ts';

/**
 * Moves one task, whose present state stays shown behind it until the hub has answered. When somebody else
 * moves it meanwhile the dialog says so, and does nothing by itself.
 * @param task as it was when the dialog was opened
 */
export function MoveDialog({ task, move, close }: { task: Task; move: Move; close: () => void }) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<MoveInput>();
  const [seen, see] = useState<TaskState>(task.state);
  const now = useTask(task.id).data;
  const moved = now !== undefined && now.state !== seen;
  const { run, pending } = useMove({ ...task, state: seen }, move, close);
  return (
    <Modal
      open
      title={`${sayWord(move)} · ${say('number', { id: task.id })}`}
      okText={sayWord(move)}
      cancelText={say('cancel')}
      okButtonProps={{ danger: move === 'cancelTask', disabled: moved }}
      confirmLoading={pending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <p className="wrap">
        <bdi>{task.title}</bdi>
      </p>
      {moved && <Meanwhile now={now} move={move} leave={close} goOn={() => see(now.state)} />}
      <Form form={form} layout="vertical" onFinish={run} disabled={pending || moved}>
        <MoveFields move={move} />
      </Form>
    </Modal>
  );
}

/** Who moved the task while the dialog was open; what can still be done to it may be done knowingly. */
function Meanwhile({
  now,
  move,
  leave,
  goOn,
}: {
  now: NonNullable<ReturnType<typeof useTask>['data']>;
  move: Move;
  leave: () => void;
  goOn: () => void;
}) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const sayPage = useWords(pageWords);
  const nameOf = useStateName();
  const who = lastMover(now) ?? sayPage('somebody');
  return (
    <Overtaken
      title={say('first', { who, state: nameOf(now.state, now.type) })}
      leave={leave}
      goOn={
        movesOf(now).includes(move)
          ? { word: say('allTheSame', { move: sayWord(move) }), act: goOn }
          : undefined
      }
    />
  );
}

function useMove(task: Task, move: Move, close: () => void) {
  const say = useWords(detailWords);
  const siteName = useSiteName();
  const nameOf = useStateName();
  const { identity } = useSession();
  return useAct<MoveInput, Moved | MovedMeanwhile>({
    act: async (input) => {
      try {
        return await sendMove(task, move, input, identity.name);
      } catch (error) {
        if (error instanceof MovedMeanwhile) return error;
        throw error;
      }
    },
    // Among them the task itself, whose new state the dialog then tells.
    changes: [tasksKey],
    done: (moved) => {
      if (moved instanceof MovedMeanwhile) return null;
      return 'order' in moved
        ? say('ordered', { site: siteName(moved.order.instance) })
        : say('nowIs', { state: nameOf(moved.state, moved.type) });
    },
    then: (moved) => {
      if (!(moved instanceof MovedMeanwhile)) close();
    },
  });
}
