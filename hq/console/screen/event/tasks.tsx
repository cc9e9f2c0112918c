import { Link } from '@tanstack/react-router';
import { Button, Card, Flex, Form, Input, Modal, Select, Tag } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { SeverityTag } from './labels.tsx';
import { eventKey, type Event, type Timeline } from './queries.ts';
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
      {can('tasks.manage') ? (
        <Link to={`/tasks/${id}` as string} className="wrap">
          <bdi>{title}</bdi>
        </Link>
      ) : (
        <bdi className="wrap">{title}</bdi>
      )}
      <span className="quiet">
        {dueAt !== null && (
          <>
            {say('due')} <Time at={dueAt} site={event.instance} />
          </>
        )}
        {instance !== null && ` · ${say('keptAt', { site: instance })}`}
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
      <AddDialog task={task} event={event} what={adding} close={() => add(null)} />
    </Flex>
  );
}

const STEP_KINDS = ['arrive', 'measure', 'result', 'handover', 'note'] as const;
interface Added {
  kind: (typeof STEP_KINDS)[number];
  text: string;
}

function AddDialog({
  task: { id },
  event: { id: eventId, tenantCode },
  what,
  close,
}: {
  task: Task;
  event: Event;
  what: 'step' | 'remind' | null;
  close: () => void;
}) {
  const say = useWords(detailWords);
  const { identity } = useSession();
  const [form] = Form.useForm<Added>();
  const { run, pending } = useAct({
    act: async ({ kind, text }: Added) => {
      const common = { tenant_code: tenantCode, text: text.trim(), by: identity.name };
      const params = { path: { id } };
      return what === 'remind'
        ? answerOf(api.POST('/api/core/objects/tasks/{id}/edge_note', { params, body: common }))
        : answerOf(api.POST('/api/core/objects/tasks/{id}/steps', { params, body: { ...common, kind } }));
    },
    changes: [eventKey(eventId), ['tasks']],
    done: (answer) => {
      if ('order' in answer) return say('ordered', { site: answer.order.instance });
      if ('pushedToEdge' in answer) return say(answer.pushedToEdge ? 'pushed' : 'notPushed');
      return say('recorded');
    },
    then: close,
  });
  return (
    <Modal
      open={what !== null}
      title={say(what === 'remind' ? 'remind' : 'addStep')}
      okText={say('save')}
      confirmLoading={pending}
      onCancel={close}
      onOk={() => form.submit()}
      destroyOnHidden
    >
      <Form form={form} layout="vertical" onFinish={run} initialValues={{ kind: 'note' }} preserve={false}>
        {what === 'step' && (
          <Form.Item<Added> name="kind" label={say('stepKind')}>
            <Select options={STEP_KINDS.map((value) => ({ value, label: say(value) }))} />
          </Form.Item>
        )}
        <Form.Item<Added>
          name="text"
          label={say('stepText')}
          rules={[{ required: true, whitespace: true, message: say('needed') }]}
        >
          <Input.TextArea rows={3} maxLength={2000} autoFocus />
        </Form.Item>
      </Form>
    </Modal>
  );
}
