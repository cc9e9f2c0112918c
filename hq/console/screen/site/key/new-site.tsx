import { Form, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { useAct } from '../../../page/act.ts';
import { Fault } from '../../../page/fault.tsx';
import { useWords } from '../../../word/language.tsx';
import { NewTenant } from '../../integration/tenant-field.tsx';
import { useKnownTenants } from '../../report/tenant.tsx';
import { addSite, type NewKey } from './acts.ts';
import { SecretOnce } from './secret.tsx';
import { words } from './words.ts';

/** Registers a site, then shows its key. */
export function NewSite({ close }: { close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<{ instance: string; name?: string; tenants: string[] }>();
  const [made, setMade] = useState<NewKey | null>(null);
  const act = useAct({ act: addSite, changes: [['sites']], then: setMade, quiet: true });
  const known = useKnownTenants();
  const chosen: string[] | undefined = Form.useWatch('tenants', form);
  const fresh = (chosen ?? []).filter((code) => !known.includes(code));
  const rules = [{ required: true, message: say('wanted') }];
  if (made) return <SecretOnce made={made} close={close} />;
  return (
    <Modal
      open
      title={say('add')}
      okText={say('add')}
      cancelText={say('cancel')}
      confirmLoading={act.pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ instance, name = '', tenants }) =>
          act.run({
            instance: instance.trim(),
            tenants,
            ...(name.trim() === '' ? {} : { display_name: name.trim() }),
          })
        }
      >
        <Form.Item name="instance" label={say('name')} extra={say('nameHint')} rules={rules}>
          <Input autoFocus maxLength={128} autoComplete="off" />
        </Form.Item>
        <Form.Item name="name" label={say('displayName')} extra={say('displayNameHint')}>
          <Input maxLength={64} autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="tenants"
          label={say('tenants')}
          extra={
            <>
              {say('tenantsHint')}
              {fresh.map((code) => (
                <div key={code}>
                  <NewTenant typed={code} />
                </div>
              ))}
            </>
          }
          rules={rules}
        >
          <Select
            mode="tags"
            options={known.map((value) => ({ value, label: value }))}
            tokenSeparators={[',', '，', ' ']}
          />
        </Form.Item>
      </Form>
      {act.error && <Fault error={act.error} />}
    </Modal>
  );
}
