import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Flex, Form, Input, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { words as common } from '../integration/words.ts';
import { giveSecret } from '../secret/give.ts';
import { type Dataset, SOURCES } from './queries.ts';
import { words } from './words.ts';

const SCHEDULES = ['*/15 * * * *', '0 * * * *', '0 3 * * *'] as const;
const PROCESSORS = [
  'none',
  'projects',
  'wbs_nodes',
  'milestones',
  'ncrs',
  'hazards',
  'purchase_orders',
] as const satisfies readonly Dataset['processor'][];

interface Wanted {
  name: string;
  tenant_code: string;
  url: string;
  key_id: string;
  secret: string;
  schedule: string;
  datasets: { dataset: string; processor: Dataset['processor'] }[];
}

/** The secret is given first, since a source that names none is refused. */
async function register({ url, secret, tenant_code: tenant, key_id, ...rest }: Wanted) {
  const base = url.replace(/\/+$/, '');
  const secretRef = await giveSecret(`source-${key_id}`.slice(0, 64), {
    use: 'dataset',
    url: base,
    secret,
    tenant,
  });
  return answerOf(
    api.POST('/api/dataset/sources', {
      body: { ...rest, tenant_code: tenant, key_id, base_url: base, secret_ref: secretRef },
    }),
  );
}

export function RegisterSource({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: register,
    changes: [SOURCES],
    quiet: true,
    done: () => say('registered'),
    then: close,
  });
  return (
    <FormDialog<Wanted>
      open={open}
      title={say('register')}
      ok={say('register')}
      initial={{ schedule: '0 * * * *', datasets: [{ dataset: '', processor: 'none' }] }}
      act={act}
      close={close}
    >
      <Fields />
    </FormDialog>
  );
}

function Fields() {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const needed = { required: true, whitespace: true, message: sayCommon('needed') };
  return (
    <>
      <Form.Item name="name" label={sayCommon('name')} rules={[needed]}>
        <Input maxLength={128} autoFocus />
      </Form.Item>
      <TenantField />
      <Form.Item
        name="url"
        label={say('address')}
        rules={[needed, { pattern: /^https?:\/\/[^\s/?#]+[^\s?#]*$/, message: say('addressForm') }]}
      >
        <Input maxLength={2048} inputMode="url" placeholder="https://" />
      </Form.Item>
      <Form.Item name="key_id" label={say('keyId')} rules={[needed]}>
        <Input maxLength={57} />
      </Form.Item>
      <Form.Item name="secret" label={say('secret')} extra={say('secretHint')} rules={[needed]}>
        <Input.Password maxLength={2048} autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="schedule" label={say('schedule')} rules={[needed]}>
        <Select options={SCHEDULES.map((value) => ({ value, label: say(value) }))} />
      </Form.Item>
      <DatasetFields />
    </>
  );
}

/** What is pulled, and what headquarters makes of it beside keeping it. */
function DatasetFields() {
  const say = useWords(words);
  const sayCommon = useWords(common);
  return (
    <Form.List name="datasets">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small">
          {rows.map(({ key, name }) => (
            <Flex key={key} gap="small" align="start">
              <Form.Item
                name={[name, 'dataset']}
                label={say('dataset')}
                className="grow"
                rules={[{ required: true, message: sayCommon('needed') }]}
              >
                <Input maxLength={64} />
              </Form.Item>
              <Form.Item name={[name, 'processor']} label={say('feeds')} className="grow">
                <Select
                  options={PROCESSORS.map((value) => ({
                    value,
                    label: say(value === 'none' ? 'onlyKept' : value),
                  }))}
                />
              </Form.Item>
              {rows.length > 1 && (
                <Button
                  icon={<DeleteOutlined />}
                  aria-label={say('takeOut')}
                  onClick={() => remove(name)}
                  type="text"
                />
              )}
            </Flex>
          ))}
          <Button
            icon={<PlusOutlined />}
            type="dashed"
            onClick={() => add({ dataset: '', processor: 'none' })}
          >
            {say('another')}
          </Button>
        </Flex>
      )}
    </Form.List>
  );
}
