import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Flex, Form, Modal, Tag } from 'antd';
import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { StateTag } from './labels.tsx';
import { MoveFields } from './move-fields.tsx';
import { type Move, type MoveInput, movesOf, sendMove } from './moves.ts';
import { type Task, tasksKey } from './queries.ts';
import { type Result, useTelling } from './telling.ts';
import { words } from './words.ts';

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
        const result = await tell(sendMove(task, move, input, identity.name));
        setResults((old) => new Map(old).set(task.id, result));
      }
      await queries.invalidateQueries({ queryKey: tasksKey });
    },
  });
  return { results, run: mutate, pending: isPending, done: isSuccess };
}
