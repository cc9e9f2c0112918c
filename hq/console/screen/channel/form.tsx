import { Form, Input, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { changedOf } from '../integration/changed.ts';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { words as common } from '../integration/words.ts';
import { type Channel, CHANNELS } from './queries.ts';
import { words } from './words.ts';

const FORMATS = ['wecom', 'dingtalk', 'feishu', 'webhook', 'sms_gateway'] as const;

interface Way {
  name: string;
  url?: string;
  secret?: string;
  recipients?: string[];
}
type New = Way & { tenant_code: string; format: Channel['format'] };

/** What was left empty is not sent: it stays as it is. */
const given = ({ name, url, secret, recipients }: Way) => ({
  name,
  ...(url ? { url } : {}),
  ...(secret ? { secret } : {}),
  ...(recipients && recipients.length > 0 ? { recipients } : {}),
});

export function CreateChannel({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: ({ tenant_code, format, ...way }: New) =>
      answerOf(
        api.POST('/api/agent/channels', {
          body: {
            tenant_code,
            format,
            channel: format === 'sms_gateway' ? 'sms' : 'chat',
            ...given(way),
          },
        }),
      ),
    changes: [CHANNELS],
    quiet: true,
    done: () => say('added'),
    then: close,
  });
  return (
    <FormDialog<New>
      open={open}
      title={say('create')}
      ok={say('createDo')}
      initial={{ format: 'wecom' }}
      act={act}
      close={close}
    >
      <TenantField />
      <Form.Item name="format" label={say('format')} rules={[{ required: true }]}>
        <Select options={FORMATS.map((value) => ({ value, label: say(value) }))} />
      </Form.Item>
      <WayFields />
    </FormDialog>
  );
}

export function EditChannel({ channel, close }: { channel: Channel | null; close: () => void }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: (way: Way) =>
      answerOf(
        api.PATCH('/api/agent/channels/{id}', {
          params: { path: { id: channel?.id ?? '' } },
          body: changedOf({ name: channel?.name }, given(way)),
        }),
      ),
    changes: [CHANNELS],
    quiet: true,
    done: () => say('saved'),
    then: close,
  });
  return (
    <FormDialog<Way>
      open={channel !== null}
      title={say('edit', { name: channel?.name ?? '' })}
      ok={sayCommon('save')}
      act={act}
      close={close}
      {...(channel ? { initial: { name: channel.name } } : {})}
    >
      {channel && <WayFields present={channel} />}
    </FormDialog>
  );
}

/** @param present what is changed; a new channel has none, and must be given its address */
function WayFields({ present }: { present?: Channel }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const chosen: Channel['format'] | undefined = Form.useWatch('format');
  const sms = (present?.format ?? chosen) === 'sms_gateway';
  const needed = { required: true, message: sayCommon('needed') };
  const first = present ? [] : [needed];
  return (
    <>
      <Form.Item name="name" label={say('name')} extra={say('nameRule')} rules={[needed]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item
        name="url"
        label={say('url')}
        extra={present ? say('urlKept', { host: present.urlHost }) : say('urlHint')}
        rules={[...first, { pattern: /^https?:\/\//i, message: say('urlFault') }]}
      >
        <Input type="url" maxLength={2048} placeholder="https://" autoComplete="off" />
      </Form.Item>
      <Form.Item name="secret" label={say('secret')} extra={say(present ? 'secretKept' : 'secretHint')}>
        <Input.Password maxLength={512} autoComplete="new-password" />
      </Form.Item>
      {sms && (
        <Form.Item
          name="recipients"
          label={say('phones')}
          extra={present ? say('phonesKept', { count: present.recipientCount }) : say('phonesHint')}
          rules={[
            ...first,
            {
              type: 'array',
              defaultField: { type: 'string', pattern: /^\+?[0-9]{5,20}$/ },
              message: say('phoneFault'),
            },
          ]}
        >
          <Select mode="tags" open={false} tokenSeparators={[',', ' ', ';', '，', '、']} suffixIcon={null} />
        </Form.Item>
      )}
    </>
  );
}
