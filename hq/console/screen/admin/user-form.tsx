import { AutoComplete, Form, Input, Modal, Radio } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { NewTenant } from '../integration/tenant-field.tsx';
import { useKnownTenants } from '../report/tenant.tsx';
import { PermissionChoice, type PermissionFields, permissionsFrom } from './permission-choice.tsx';
import type { User } from './queries.ts';
import { words } from './words.ts';

interface NewUser extends PermissionFields {
  name: string;
  role: User['role'];
  tenant?: string;
  password: string;
}

/** A new user with an initial password. */
export function UserForm({ close }: { close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<NewUser>();
  const role = Form.useWatch('role', form) ?? 'operator';
  const tenant = Form.useWatch('tenant', form);
  const known = useKnownTenants();
  const add = useAct({
    act: ({ name, role, tenant, password, ...powers }: NewUser) =>
      answerOf(
        api.POST('/api/core/users', {
          body: {
            name,
            role,
            password,
            permissions: permissionsFrom(powers),
            ...(role === 'customer' && tenant ? { tenant_code: tenant } : {}),
          },
        }),
      ),
    changes: [['users']],
    done: ({ name }) => say('added', { name }),
    then: close,
  });
  const needed = [{ required: true, message: say('required') }];
  return (
    <Modal
      open
      title={say('addUser')}
      onCancel={close}
      onOk={form.submit}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={add.pending}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ role: 'operator', all: true }}
        onFinish={(values) => add.run(values)}
      >
        <Form.Item name="name" label={say('name')} extra={say('nameRule')} rules={needed}>
          <Input autoComplete="off" maxLength={64} />
        </Form.Item>
        <Form.Item name="role" label={say('role')}>
          <Radio.Group
            options={(['operator', 'customer'] as const).map((value) => ({ value, label: say(value) }))}
            onChange={() => form.setFieldsValue({ permissions: [] })}
          />
        </Form.Item>
        {role === 'customer' && (
          <Form.Item name="tenant" label={say('tenant')} rules={needed} extra={<NewTenant typed={tenant} />}>
            <AutoComplete maxLength={64} options={known.map((value) => ({ value }))} />
          </Form.Item>
        )}
        <Form.Item name="password" label={say('initial')} extra={say('passwordRule')} rules={needed}>
          <Input.Password autoComplete="new-password" maxLength={256} />
        </Form.Item>
        <PermissionChoice role={role} />
      </Form>
    </Modal>
  );
}
