import { AutoComplete, Form, Modal, Select } from 'antd';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { severities } from '../../event/filters.ts';
import type { EventType } from '../../event/type-name.tsx';
import { words as eventWords } from '../../event/words.ts';
import { type Severity, useSetting } from './setting.ts';
import { typeWords } from './words.ts';

/** As the hub takes it: a type, or every type that begins so. */
const PATTERN = /^(?:[a-z0-9_]+(?:\.[a-z0-9_]+)*(?:\.\*)?|\*)$/;

/** Sets the severity of a type that the table does not have, or of all that begin alike. */
export function AddType({
  tenant,
  types,
  close,
}: {
  tenant: string;
  types: readonly EventType[];
  close: () => void;
}) {
  const say = useWords(typeWords);
  const sayEvent = useWords(eventWords);
  const { language } = useLanguage();
  const [form] = Form.useForm<{ type: string; severity: Severity }>();
  const { run, pending } = useSetting(tenant, close);
  const needed = { required: true, message: say('needed') };
  return (
    <Modal
      open
      title={say('add')}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        disabled={pending}
        onFinish={({ type, severity }) => {
          const known = types.find((one) => one.type === type);
          const seen = known?.registeredAs === type ? known.severity : null;
          run({ type, name: type, seen, severity });
        }}
      >
        <Form.Item
          name="type"
          label={say('code')}
          extra={say('codeHint')}
          rules={[needed, { pattern: PATTERN, message: say('badCode') }]}
        >
          <AutoComplete
            maxLength={128}
            options={types.map(({ type, nameZh, nameEn }) => ({
              value: type,
              label: [(language === 'zh' ? nameZh : nameEn) ?? '', type].filter(Boolean).join(' · '),
            }))}
            showSearch={{ filterOption: (typed, option) => option?.label.includes(typed) ?? false }}
          />
        </Form.Item>
        <Form.Item name="severity" label={say('severity')} rules={[needed]}>
          <Select options={severities.map((value) => ({ value, label: sayEvent(value) }))} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
