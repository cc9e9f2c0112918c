import { Form, Input, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import { eventWords, subscribable } from './event-words.ts';
import { words } from './words.ts';

/** Name, address and subscription, as they are made and changed. */
export function WebhookFields() {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const kind = useWords(eventWords);
  const needed = { required: true, whitespace: true, message: sayCommon('needed') };
  return (
    <>
      <Form.Item name="name" label={say('name')} rules={[needed]}>
        <Input maxLength={128} autoFocus />
      </Form.Item>
      <Form.Item
        name="callback_url"
        label={say('url')}
        extra={say('urlHint')}
        rules={[needed, { pattern: /^https?:\/\//i, message: say('urlFault') }]}
      >
        <Input type="url" maxLength={2048} placeholder="https://" />
      </Form.Item>
      <Form.Item name="events" label={say('events')} rules={[needed]}>
        <Select
          options={[
            ...subscribable.map((value) => ({ value, label: `${kind(value)} · ${value}` })),
            { value: 'all', label: `${kind('all')} · all` },
          ]}
        />
      </Form.Item>
    </>
  );
}

/** `signing_secret`; left empty, the hub makes one. */
export function SecretField() {
  const say = useWords(words);
  return (
    <Form.Item
      name="signing_secret"
      label={say('secret')}
      extra={say('secretHint')}
      rules={[{ pattern: /^[\x21-\x7e]{8,256}$/, message: say('secretFault') }]}
    >
      <Input.Password autoComplete="new-password" maxLength={256} />
    </Form.Item>
  );
}
