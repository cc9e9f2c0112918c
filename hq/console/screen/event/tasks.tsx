import { Link } from '@tanstack/react-router';
import { Button, Card, Flex, Tag } from 'antd';
import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { AddDialog } from '../task/add-dialog.tsx';
import { detailWords } from './detail-words.ts';
import { SeverityTag } from './labels.tsx';
import type { Event, Timeline } from './queries.ts';
import { stepWords } from './step-words.ts';

type Task = Timeline['tasks'][number];

/** The tasks on the event, and what may be added to them from here. */
export function EventTasks({ event, tasks }: { event: Event; tasks: readonly Task[] }) {
  const say = useWords(detailWords);
  return (
    <Card size="small" title={say('tasks')}>
      {tasks.length === 0 && <span className="quiet">{say('noTasks')}</span>}
      <Flex vertical gap="middle">
        {tasks.map((task) => (
          <TaskLine key={task.id} task={task} event={event} />
        ))}
      </Flex>
    </Card>
  );
}

const PUSHED: readonly Task['type'][] = ['disposal', 'rectification'];

function TaskLine({ task, event }: { task: Task; event: Event }) {
  const say = useWords(detailWords);
  const sayStep = useWords(stepWords);
  const siteName = useSiteName();
  const { can } = useSession();
  const [adding, add] = useState<'step' | 'remind' | null>(null);
  const { id, title, type, state, dueAt, overdue, instance, severity } = task;
  return (
    <Flex vertical gap={4}>
      <Flex gap="small" wrap align="center">
        <Tag>{sayStep(type)}</Tag>
        <Tag color={state === 'open' ? 'warning' : 'default'}>{sayStep(state)}</Tag>
        <SeverityTag severity={severity} />
        {overdue && <Tag color="error">{say('overdue')}</Tag>}
      </Flex>
      <Link to="/tasks/$id" params={{ id: String(id) }} className="wrap">
        <bdi>{title}</bdi>
      </Link>
      <span className="quiet">
        {dueAt !== null && (
          <>
            {say('due')} <Time at={dueAt} site={event.instance} />
          </>
        )}
        {dueAt !== null && instance !== null && ' · '}
        {instance !== null && say('keptAt', { site: siteName(instance) })}
      </span>
      {can('tasks.manage') && (
        <Flex gap="small" wrap>
          <Button size="small" onClick={() => add('step')}>
            {say('addStep')}
          </Button>
          {PUSHED.includes(type) && (
            <Button size="small" onClick={() => add('remind')}>
              {say('remind')}
            </Button>
          )}
        </Flex>
      )}
      {adding && (
        <AddDialog task={{ id, tenantCode: event.tenantCode }} what={adding} close={() => add(null)} />
      )}
    </Flex>
  );
}
