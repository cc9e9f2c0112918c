import { Form, Input, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import { AlarmFields } from './alarm-fields.tsx';
import type { Channel } from './queries.ts';
import type { TakingFields } from './taking.ts';
import { words } from './words.ts';

/** What the dialogs ask of a way out. */
export interface Way extends TakingFields {
  name: string;
  url?: string;
  secret?: string;
  recipients?: string[];
  from?: string;
  user?: string;
}

/** @param present what is changed; a new channel has none, and must be given its address */
export function WayFields({ present }: { present?: Channel }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const chosen: Channel['format'] | undefined = Form.useWatch('format');
  const format = present?.format ?? chosen;
  const mail = format === 'email';
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
        extra={present ? say('urlKept', { host: present.urlHost }) : say(mail ? 'smtpHint' : 'urlHint')}
        rules={[
          ...first,
          mail
            ? { pattern: /^smtps?:\/\//i, message: say('smtpFault') }
            : { pattern: /^https?:\/\//i, message: say('urlFault') },
        ]}
      >
        <Input type="url" maxLength={2048} placeholder={mail ? 'smtp://' : 'https://'} autoComplete="off" />
      </Form.Item>
      {mail && <MailFields />}
      <Form.Item
        name="secret"
        label={say(mail ? 'password' : 'secret')}
        extra={say(present ? 'secretKept' : mail ? 'passwordHint' : 'secretHint')}
      >
        <Input.Password maxLength={512} autoComplete="new-password" />
      </Form.Item>
      {(mail || format === 'sms_gateway') && (
        <RecipientsField mail={mail} rules={first} {...(present && { present })} />
      )}
      <AlarmFields />
    </>
  );
}

function MailFields() {
  const say = useWords(words);
  const sayCommon = useWords(common);
  return (
    <>
      <Form.Item
        name="from"
        label={say('from')}
        rules={[
          { required: true, message: sayCommon('needed') },
          { pattern: /^[^\s@]+@[^\s@]+$/, message: say('mailFault') },
        ]}
      >
        <Input maxLength={320} autoComplete="off" />
      </Form.Item>
      <Form.Item name="user" label={say('user')} extra={say('userHint')}>
        <Input maxLength={320} autoComplete="off" />
      </Form.Item>
    </>
  );
}

function RecipientsField({
  mail,
  rules,
  present,
}: {
  mail: boolean;
  rules: { required: boolean; message: string }[];
  present?: Channel;
}) {
  const say = useWords(words);
  const count = { count: present?.recipientCount ?? 0 };
  const one = mail
    ? { pattern: /^[^\s@]+@[^\s@]+$/, message: say('mailFault') }
    : { pattern: /^\+?[0-9]{5,20}$/, message: say('phoneFault') };
  return (
    <Form.Item
      name="recipients"
      label={say(mail ? 'mailTo' : 'phones')}
      extra={
        present ? say(mail ? 'mailToKept' : 'phonesKept', count) : say(mail ? 'mailToHint' : 'phonesHint')
      }
      rules={[
        ...rules,
        { type: 'array', defaultField: { type: 'string', pattern: one.pattern }, message: one.message },
      ]}
    >
      <Select mode="tags" open={false} tokenSeparators={[',', ' ', ';', '，', '、']} suffixIcon={null} />
    </Form.Item>
  );
}
