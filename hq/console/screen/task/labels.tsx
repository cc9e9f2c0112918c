import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  ExclamationCircleFilled,
  InboxOutlined,
  StopOutlined,
  ToolOutlined,
} from '@ant-design/icons';
import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { Time, useNow } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { Task, TaskState } from './queries.ts';
import { words } from './words.ts';

const STATE: Record<TaskState, { color: string; icon: ReactNode }> = {
  open: { color: 'warning', icon: <InboxOutlined /> },
  taken_over: { color: 'processing', icon: <ToolOutlined /> },
  completed: { color: 'success', icon: <CheckCircleOutlined /> },
  closed: { color: 'default', icon: <CheckCircleOutlined /> },
  cancelled: { color: 'default', icon: <StopOutlined /> },
};

export function useStateName() {
  const say = useWords(words);
  return (state: TaskState, type?: Task['type']): string =>
    state === 'completed' && type === 'rectification' ? say('awaitsAcceptance') : say(state);
}

export function StateTag({ task: { state, type } }: { task: Pick<Task, 'state' | 'type'> }) {
  const name = useStateName();
  const { color, icon } = STATE[state];
  return (
    <Tag color={color} icon={icon}>
      {name(state, type)}
    </Tag>
  );
}

/** The deadline, and whether it has passed with the task not taken over, or not done. */
export function Due({
  task: { dueAt, overdue, state, instance },
}: {
  task: Pick<Task, 'dueAt' | 'overdue' | 'state' | 'instance'>;
}) {
  const say = useWords(words);
  const now = useNow();
  if (dueAt === null) return <span className="quiet">{say('noDue')}</span>;
  const late = overdue || (state === 'taken_over' && Date.parse(dueAt) < now);
  return (
    <span className="state">
      <Time at={dueAt} site={instance} />{' '}
      {late && (
        <Tag
          color={overdue ? 'error' : 'warning'}
          icon={overdue ? <ExclamationCircleFilled /> : <ClockCircleOutlined />}
        >
          {say(overdue ? 'overdue' : 'passed')}
        </Tag>
      )}
    </span>
  );
}
