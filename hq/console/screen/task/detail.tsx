import { LeftOutlined } from '@ant-design/icons';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Alert, Button, Card, Col, Flex, Row, Skeleton } from 'antd';
import { useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { AsOf } from '../../page/fault.tsx';
import { useIdParam } from '../../page/id-param.ts';
import { NotFound, Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { AddDialog } from './add-dialog.tsx';
import { ClauseCard, clauseOf } from './clause.tsx';
import { Course } from './course.tsx';
import { detailWords } from './detail-words.ts';
import { Facts } from './facts.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { isMoving, type Move, movesOf } from './moves.ts';
import { Orders } from './orders.tsx';
import { type TaskDetail as Detail, useTask } from './queries.ts';
import { words } from './words.ts';

/** One task: what is to be done, by whom, and what was. */
export function TaskDetail() {
  const say = useWords(detailWords);
  const id = useIdParam();
  const task = useTask(id);
  if (id === null) return <NotFound />;
  if (!task.data)
    return (
      <Page title={say('number', { id })}>
        {task.isPending ? <Skeleton active /> : <AsOf query={task} />}
      </Page>
    );
  return <Loaded key={id} task={task.data} query={task} />;
}

function Loaded({ task, query }: { task: Detail; query: ReturnType<typeof useTask> }) {
  const say = useWords(detailWords);
  const siteName = useSiteName();
  const moving = isMoving(task);
  const clause = clauseOf(task);
  return (
    <Page title={task.title} under={say('number', { id: task.id })} actions={<Actions task={task} />}>
      <AsOf query={query} />
      {moving && task.instance !== null && (
        <Alert type="info" showIcon title={say('waits', { site: siteName(task.instance) })} />
      )}
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={10}>
          <Flex vertical gap="middle">
            <Facts task={task} />
            {clause && <ClauseCard clause={clause} tenant={task.tenantCode} />}
            {task.orders && (
              <Card size="small" title={say('orders')}>
                <Orders orders={task.orders} />
              </Card>
            )}
          </Flex>
        </Col>
        <Col xs={24} xl={14}>
          <Course task={task} />
        </Col>
      </Row>
    </Page>
  );
}

/** Of these kinds the camera is told. */
const PUSHED: readonly Detail['type'][] = ['disposal', 'rectification'];

function Actions({ task }: { task: Detail }) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const { can } = useSession();
  const navigate = useNavigate();
  const { history } = useRouter();
  // With the task as it is when the dialog opens.
  const [begun, begin] = useState<{ move: Move; task: Detail } | null>(null);
  const [adding, add] = useState<'step' | 'remind' | null>(null);
  const back = (): void => {
    if (history.canGoBack()) history.back();
    else void navigate({ to: '/tasks' });
  };
  useKeys({ Escape: back });
  const manages = can('tasks.manage');
  const possible = manages && !isMoving(task) ? movesOf(task) : [];
  return (
    <>
      <Button icon={<LeftOutlined />} onClick={back}>
        {say('back')}
      </Button>
      {manages && <Button onClick={() => add('step')}>{say('addStep')}</Button>}
      {manages && PUSHED.includes(task.type) && task.eventId !== null && (
        <Button onClick={() => add('remind')}>{say('remind')}</Button>
      )}
      {possible.map((one, index) => (
        <Button
          key={one}
          type={index === 0 ? 'primary' : 'default'}
          onClick={() => begin({ move: one, task })}
        >
          {sayWord(one)}
        </Button>
      ))}
      {begun && <MoveDialog {...begun} close={() => begin(null)} />}
      {adding && <AddDialog task={task} what={adding} close={() => add(null)} />}
    </>
  );
}
