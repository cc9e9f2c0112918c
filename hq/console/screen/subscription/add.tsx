import { Checkbox, Form, Input, Radio, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { severities } from '../event/filters.ts';
import { words as eventWords } from '../event/words.ts';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { words as common } from '../integration/words.ts';
import { giveSecret } from '../secret/give.ts';
import { SUBSCRIPTIONS } from './queries.ts';
import { words } from './words.ts';

interface Wanted {
  consumer: string;
  every?: boolean;
  tenant_code?: string;
  types?: string[];
  least?: (typeof severities)[number];
  begin: 'now' | 'first';
  url?: string;
  secret?: string;
}

/** Registers a consumer; where it is pushed to, what signs the pushes is given before. */
async function register({ consumer, every, tenant_code, types, least, begin, url, secret }: Wanted) {
  const tenant = every ? undefined : tenant_code;
  const signed = url && secret ? { use: 'push' as const, url, secret, tenant } : null;
  const secretRef = signed && (await giveSecret(`push-${consumer}`, signed));
  return answerOf(
    api.POST('/api/core/events/subscribe', {
      body: {
        consumer,
        ...(tenant === undefined ? {} : { tenant_code: tenant }),
        ...(types && types.length > 0 ? { event_types: types } : {}),
        ...(least ? { min_severity: least } : {}),
        ...(begin === 'first' ? { start_cursor: 0 } : {}),
        ...(url ? { push_url: url } : {}),
        ...(secretRef ? { secret_ref: secretRef } : {}),
      },
    }),
  );
}

export function RegisterConsumer({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: register,
    changes: [SUBSCRIPTIONS],
    quiet: true,
    done: () => say('registered'),
    then: close,
  });
  return (
    <FormDialog<Wanted>
      open={open}
      title={say('register')}
      ok={say('register')}
      initial={{ begin: 'now' }}
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
  const event = useWords(eventWords);
  const [every, url]: [boolean | undefined, string | undefined] = [
    Form.useWatch('every'),
    Form.useWatch('url'),
  ];
  return (
    <>
      <Form.Item
        name="consumer"
        label={say('consumerName')}
        extra={say('nameHint')}
        rules={[{ required: true, whitespace: true, message: sayCommon('needed') }]}
      >
        <Input maxLength={64} autoFocus />
      </Form.Item>
      <Form.Item name="every" valuePropName="checked">
        <Checkbox>{say('everyTenant')}</Checkbox>
      </Form.Item>
      {!every && <TenantField />}
      <Form.Item name="types" label={say('types')} extra={say('typesHint')}>
        <Select mode="tags" tokenSeparators={[',', ' ']} open={false} suffixIcon={null} />
      </Form.Item>
      <Form.Item name="least" label={say('least')}>
        <Select allowClear options={severities.map((value) => ({ value, label: event(value) }))} />
      </Form.Item>
      <Form.Item name="begin" label={say('begin')}>
        <Radio.Group
          options={[
            { value: 'now', label: say('fromNow') },
            { value: 'first', label: say('fromFirst') },
          ]}
        />
      </Form.Item>
      <Form.Item name="url" label={say('pushUrl')}>
        <Input maxLength={2048} inputMode="url" placeholder="https://" />
      </Form.Item>
      {url && (
        <Form.Item name="secret" label={say('pushSecret')} extra={say('pushSecretHint')}>
          <Input.Password maxLength={2048} autoComplete="new-password" />
        </Form.Item>
      )}
    </>
  );
}
