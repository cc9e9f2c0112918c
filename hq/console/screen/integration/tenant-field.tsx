import { AutoComplete, Form } from 'antd';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useKnownTenants } from '../report/tenant.tsx';
import { words } from './words.ts';

/** `tenant_code` of what is made; for a user of a tenant it is theirs, and not asked. */
export function TenantField() {
  const say = useWords(words);
  const { identity } = useSession();
  const known = useKnownTenants();
  const typed: string | undefined = Form.useWatch('tenant_code');
  if (identity.tenantCode !== null)
    return <Form.Item name="tenant_code" initialValue={identity.tenantCode} hidden noStyle />;
  return (
    <Form.Item
      name="tenant_code"
      label={say('tenant')}
      extra={<NewTenant typed={typed} hint={say('tenantHint')} />}
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

/** Warns of a tenant that no site has: a slip of the pen would make one that nobody is. */
export function NewTenant({ typed, hint }: { typed: string | undefined; hint?: string }) {
  const say = useWords(words);
  const known = useKnownTenants();
  const code = typed?.trim() ?? '';
  if (code === '' || known.length === 0 || known.includes(code)) return hint;
  return (
    <span role="alert" className="warn-text">
      {say('tenantNew', { code })}
    </span>
  );
}
