import { Checkbox, Form, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { ownZone } from '../../time/zone.ts';
import { useWords } from '../../word/language.tsx';
import { changedOf } from '../integration/changed.ts';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { words as common } from '../integration/words.ts';
import { type Channel, CHANNELS } from './queries.ts';
import { fieldsOf, takingOf } from './taking.ts';
import { type Way, WayFields } from './way-fields.tsx';
import { words } from './words.ts';

const FORMATS = ['wecom', 'dingtalk', 'feishu', 'webhook', 'email', 'sms_gateway'] as const;

type New = Way & { tenant_code: string; operators?: boolean; format: Channel['format'] };

/** What was left empty is not sent: it stays as it is. */
const given = ({ name, url, secret, recipients, from, user, ...taking }: Way, present?: Channel) => ({
  name,
  ...(url ? { url } : {}),
  ...(secret ? { secret } : {}),
  ...(recipients && recipients.length > 0 ? { recipients } : {}),
  ...(from && (from !== present?.mail?.from || (user ?? '') !== (present.mail.user ?? ''))
    ? { mail: { from, user: user ? user : null } }
    : {}),
  ...takingOf(taking, present),
});

export function CreateChannel({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: ({ tenant_code, operators, format, ...way }: New) =>
      answerOf(
        api.POST('/api/agent/channels', {
          body: {
            tenant_code: operators ? null : tenant_code,
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
      initial={{ format: 'wecom', ...fieldsOf(undefined, ownZone()) }}
      act={act}
      close={close}
    >
      <OwnerFields />
      <Form.Item name="format" label={say('format')} rules={[{ required: true }]}>
        <Select options={FORMATS.map((value) => ({ value, label: say(value) }))} />
      </Form.Item>
      <WayFields />
    </FormDialog>
  );
}

/** Whose it is: of a tenant, or of the operators, for who is one. */
function OwnerFields() {
  const say = useWords(words);
  const { identity } = useSession();
  const operators: boolean | undefined = Form.useWatch('operators');
  return (
    <>
      {identity.tenantCode === null && (
        <Form.Item name="operators" valuePropName="checked" extra={say('operatorsHint')}>
          <Checkbox>{say('operators')}</Checkbox>
        </Form.Item>
      )}
      {!operators && <TenantField />}
    </>
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
          body: changedOf({ name: channel?.name }, given(way, channel ?? undefined)),
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
      {...(channel ? { initial: shownOf(channel) } : {})}
    >
      {channel && <WayFields present={channel} />}
    </FormDialog>
  );
}

const shownOf = (channel: Channel): Partial<Way> => ({
  name: channel.name,
  ...fieldsOf(channel, ownZone()),
  ...(channel.mail ? { from: channel.mail.from, user: channel.mail.user ?? '' } : {}),
});
