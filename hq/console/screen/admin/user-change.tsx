import { Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Overtaken } from '../../page/overtaken.tsx';
import { useWords } from '../../word/language.tsx';
import { PermissionChoice, type PermissionFields, permissionsFrom } from './permission-choice.tsx';
import { permissionWords } from './permission-words.ts';
import { fetchUser, type User } from './queries.ts';
import { words } from './words.ts';

interface Patch {
  name: string;
  body: { disabled?: boolean; password?: string; emergency?: boolean };
}

const CHANGED = [['users'], ['sessions'], ['session']] as const;

/** Changes a user; `then` when it is done. */
export function useUserChange(then?: () => void) {
  const say = useWords(words);
  return useAct({
    act: ({ name, body }: Patch) =>
      answerOf(api.PATCH('/api/core/users/{name}', { params: { path: { name } }, body })),
    changes: CHANGED,
    done: ({ name }) => say('changed', { name }),
    ...(then ? { then } : {}),
  });
}

const powersOf = ({ limited, permissions }: User): string =>
  JSON.stringify([limited, permissions.toSorted()]);

/** Sets the permissions over those that were shown: another's change is told before it is replaced. */
function usePermissionChange(user: User, close: () => void) {
  const say = useWords(words);
  const [seen, see] = useState(user);
  const [newer, tell] = useState<User | null>(null);
  const { run, pending } = useAct({
    act: async (permissions: User['permissions'] | null) => {
      const now = await fetchUser(user.name);
      if (now && powersOf(now) !== powersOf(seen)) return { now };
      const params = { path: { name: user.name } };
      return answerOf(api.PATCH('/api/core/users/{name}', { params, body: { permissions } }));
    },
    changes: CHANGED,
    done: (made) => ('now' in made ? null : say('changed', { name: user.name })),
    then: (made) => {
      if ('now' in made) tell(made.now);
      else close();
    },
  });
  const goOn = (): void => {
    see(newer ?? seen);
    tell(null);
  };
  return { newer, pending, save: run, goOn };
}

export function UserPermissions({ user, close }: { user: User; close: () => void }) {
  const say = useWords(words);
  const tell = useWords(permissionWords);
  const [form] = Form.useForm<PermissionFields>();
  const { newer, pending, save, goOn } = usePermissionChange(user, close);
  return (
    <Modal
      open
      title={say('changeOf', { name: user.name })}
      onCancel={close}
      onOk={form.submit}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      okButtonProps={{ disabled: newer !== null }}
    >
      {newer && (
        <Overtaken
          title={say('newerPermissions', { name: user.name })}
          leave={close}
          goOn={{ word: say('overNewer'), act: goOn }}
        >
          {newer.limited ? newer.permissions.map((one) => tell(one)).join(' · ') : say('asRole')}
        </Overtaken>
      )}
      <Form
        form={form}
        layout="vertical"
        disabled={newer !== null}
        initialValues={{ all: !user.limited, permissions: user.permissions }}
        onFinish={(values) => save(permissionsFrom(values))}
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
