import { AutoComplete, Form } from 'antd';
import { useSites } from '../site/queries.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** `tenant_code` of what is made; for a user of a tenant it is theirs, and not asked. */
export function TenantField() {
  const say = useWords(words);
  const { identity, can } = useSession();
  const { data: sites } = useSites({ enabled: identity.tenantCode === null && can('uplink.view') });
  const known = [...new Set(sites?.flatMap(({ tenants }) => tenants))].toSorted();
  if (identity.tenantCode !== null)
    return <Form.Item name="tenant_code" initialValue={identity.tenantCode} hidden noStyle />;
  return (
    <Form.Item
      name="tenant_code"
      label={say('tenant')}
      extra={say('tenantHint')}
      rules={[{ required: true, message: say('needed') }]}
    >
      <AutoComplete
        options={known.map((value) => ({ value }))}
        showSearch={{ filterOption: (typed, option) => option?.value.includes(typed) ?? false }}
        maxLength={64}
      />
    </Form.Item>
  );
}
