import { Form, Input, Modal } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { PermissionChoice, permissionsFrom, type PermissionFields } from './permission-choice.tsx';
import type { User } from './queries.ts';
import { words } from './words.ts';

interface Patch {
  name: string;
  body: { disabled?: boolean; permissions?: User['permissions'] | null; password?: string };
}

/** Changes a user; `then` when it is done. */
export function useUserChange(then?: () => void) {
  const say = useWords(words);
  return useAct({
    act: ({ name, body }: Patch) =>
      answerOf(api.PATCH('/api/core/users/{name}', { params: { path: { name } }, body })),
    changes: [['users'], ['sessions'], ['session']],
    done: ({ name }) => say('changed', { name }),
    ...(then ? { then } : {}),
  });
}

export function UserPermissions({ user, close }: { user: User; close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<PermissionFields>();
  const change = useUserChange(close);
  return (
    <Modal
      open
      title={say('changeOf', { name: user.name })}
      onCancel={close}
      onOk={form.submit}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={change.pending}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ all: !user.limited, permissions: user.permissions }}
        onFinish={(values) => change.run({ name: user.name, body: { permissions: permissionsFrom(values) } })}
      >
        <PermissionChoice role={user.role} />
      </Form>
    </Modal>
  );
}

export function UserPassword({ user, close }: { user: User; close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<{ password: string }>();
  const change = useUserChange(close);
  return (
    <Modal
      open
      title={say('setPasswordOf', { name: user.name })}
      onCancel={close}
      onOk={form.submit}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={change.pending}
    >
      <p>{say('endsSessions')}</p>
      <Form
        form={form}
        layout="vertical"
        onFinish={({ password }) => change.run({ name: user.name, body: { password } })}
      >
        <Form.Item
          name="password"
          label={say('password')}
          extra={say('passwordRule')}
          rules={[{ required: true, message: say('required') }]}
        >
          <Input.Password autoComplete="new-password" maxLength={256} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
