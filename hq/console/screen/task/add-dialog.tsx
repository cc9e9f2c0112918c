import { Form, Input, Modal, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { detailWords } from './detail-words.ts';
import { stepKinds } from './filters.ts';
import { usePushText } from './orders.tsx';
import { type Task, tasksKey } from './queries.ts';

interface Added {
  kind: (typeof stepKinds)[number];
  text: string;
}

const KINDS = {
  arrive: 'arrive',
  measure: 'measure',
  result: 'stepResult',
  handover: 'handover',
  note: 'stepNote',
} as const;

/** Adds a step to a task, or tells the camera something of it. */
export function AddDialog({
  task: { id, tenantCode },
  what,
  close,
}: {
  task: Pick<Task, 'id' | 'tenantCode'>;
  what: 'step' | 'remind';
  close: () => void;
}) {
  const say = useWords(detailWords);
  const pushText = usePushText();
  const siteName = useSiteName();
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
    // The course of its event tells of it too.
    changes: [tasksKey, ['event']],
    done: (answer) => {
      if ('order' in answer) return say('ordered', { site: siteName(answer.order.instance) });
      if (!('pushedToEdge' in answer)) return say('recorded');
      return pushText(answer);
    },
    then: close,
  });
  return (
    <Modal
      open
      title={say(what === 'remind' ? 'remind' : 'addStep')}
      okText={say('send')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <Form form={form} layout="vertical" onFinish={run} initialValues={{ kind: 'note' }} disabled={pending}>
        {what === 'step' && (
          <Form.Item<Added> name="kind" label={say('stepKind')}>
            <Select options={stepKinds.map((value) => ({ value, label: say(KINDS[value]) }))} />
          </Form.Item>
        )}
        <Form.Item<Added>
          name="text"
          label={say('text')}
          extra={what === 'remind' && say('remindHint')}
          rules={[{ required: true, whitespace: true, message: say('needed') }]}
        >
          <Input.TextArea rows={3} maxLength={2000} autoFocus />
        </Form.Item>
      </Form>
    </Modal>
  );
}
