import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Flex, Form, Modal, Tag } from 'antd';
import { useState } from 'react';
import { faultText } from '../../page/fault-text.ts';
import { words as pageWords } from '../../page/words.ts';
import { useSession } from '../../session/session.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { detailWords } from './detail-words.ts';
import { StateTag, useStateName } from './labels.tsx';
import { MoveFields } from './move-fields.tsx';
import { lastMover, type Move, MovedMeanwhile, type MoveInput, movesOf, sendMove } from './moves.ts';
import { type Task, tasksKey } from './queries.ts';
import { words } from './words.ts';

interface Result {
  ok: boolean;
  text: string;
}

/**
 * Moves the tasks that are listed in it, and no others, one after another; what became of each stands beside
 * it.
 * @param end after it was done
 */
export function BatchDialog({
  move,
  tasks,
  close,
  end,
}: {
  move: Move;
  tasks: readonly Task[];
  close: () => void;
  end: () => void;
}) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<MoveInput>();
  const fitting = tasks.filter((task) => movesOf(task).includes(move));
  const { results, run, pending, done } = useBatch(fitting, move);
  return (
    <Modal
      open
      width={640}
      title={say('batchTitle', { move: sayWord(move), count: fitting.length })}
      closable={!pending}
      mask={{ closable: false }}
      onCancel={done ? end : close}
      footer={
        done ? (
          <Button type="primary" onClick={end}>
            {say('batchEnd')}
          </Button>
        ) : (
          <>
            <Button onClick={close} disabled={pending}>
              {say('cancel')}
            </Button>
            <Button
              type="primary"
              danger={move === 'cancelTask'}
              loading={pending}
              onClick={() => form.submit()}
            >
              {say('batchGo', { count: fitting.length })}
            </Button>
          </>
        )
      }
    >
      <Flex vertical gap="middle">
        <span className="quiet">{say('batchOnly')}</span>
        <div className="batch-list">
          {tasks.map((task) => (
            <Line key={task.id} task={task} fits={fitting.includes(task)} result={results.get(task.id)} />
          ))}
        </div>
        {!done && (
          <Form form={form} layout="vertical" onFinish={run} disabled={pending}>
            <MoveFields move={move} />
          </Form>
        )}
      </Flex>
    </Modal>
  );
}

function Line({ task, fits, result }: { task: Task; fits: boolean; result: Result | undefined }) {
  const say = useWords(detailWords);
  return (
    <Flex gap="small" wrap align="center">
      <span className="quiet number">{task.id}</span>
      <bdi className="wrap">{task.title}</bdi>
      <StateTag task={task} />
      {!fits && <span className="quiet">{say('batchSkips')}</span>}
      {result && <Tag color={result.ok ? 'success' : 'error'}>{result.text}</Tag>}
    </Flex>
  );
}

/** One call after another: each has its own answer, and the hub is not flooded. */
function useBatch(tasks: readonly Task[], move: Move) {
  const queries = useQueryClient();
  const { identity } = useSession();
  const [results, setResults] = useState<ReadonlyMap<number, Result>>(new Map());
  const tell = useTelling();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async (input: MoveInput) => {
      for (const task of tasks) {
        const result = await tell(task, sendMove(task, move, input, identity.name));
        setResults((old) => new Map(old).set(task.id, result));
      }
      await queries.invalidateQueries({ queryKey: tasksKey });
    },
  });
  return { results, run: mutate, pending: isPending, done: isSuccess };
}

/** What became of one task, in words; it never fails. */
function useTelling() {
  const say = useWords(detailWords);
  const siteName = useSiteName();
  const sayPage = useWords(pageWords);
  const { language } = useLanguage();
  const nameOf = useStateName();
  return async (task: Task, answer: ReturnType<typeof sendMove>): Promise<Result> => {
    try {
      const moved = await answer;
      const text =
        'order' in moved
          ? say('ordered', { site: siteName(moved.order.instance) })
          : say('nowIs', { state: nameOf(moved.state, moved.type) });
      return { ok: true, text };
    } catch (error) {
      if (error instanceof MovedMeanwhile) {
        const who = lastMover(error.task) ?? sayPage('somebody');
        return { ok: false, text: say('first', { who, state: nameOf(error.task.state, task.type) }) };
      }
      const { title, details } = faultText(error, sayPage, language);
      return { ok: false, text: [title, ...details].join(' · ') };
    }
  };
}
