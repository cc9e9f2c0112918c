import { Button, Flex, Form, Input, Segmented, Select, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { defineList, whole } from '../../list/define.tsx';
import { filters, text, useFilters } from '../../list/filter.ts';
import { useAct } from '../../page/act.ts';
import { Nothing } from '../../page/nothing.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { useTenants } from '../policy/eyes.ts';
import { Level } from '../policy/marks.tsx';
import { words as policyWords } from '../policy/words.ts';
import { CLEARANCE, type Grant, useGrants } from './queries.ts';
import { words } from './words.ts';

const clearanceFilters = filters({ tenant: text });

const LEVELS = ['public', 'internal', 'confidential', 'secret'] as const;

const Grants = defineList<Grant, (grant: Grant) => void>({ keyOf: ({ subject }) => subject, useColumns });

/** Who may see which levels of the policy library? */
export function ClearanceList() {
  const say = useWords(words);
  const { filters, change } = useFilters(clearanceFilters);
  const tenants = useTenants().data;
  const tenant = tenants?.find((one) => one === filters.tenant) ?? tenants?.[0];
  const grants = useGrants(tenant);
  const [granting, grant] = useState<Partial<Grant> | null>(null);
  if (tenants && tenant === undefined) return <Nothing none={say('noTenant')} />;
  return (
    <Flex vertical gap="middle">
      <span className="quiet">{say('why')}</span>
      <Flex gap="small" wrap justify="space-between">
        {tenants && tenants.length > 1 && tenant !== undefined && (
          <Segmented
            aria-label={say('tenant')}
            options={tenants}
            value={tenant}
            onChange={(value) => change({ tenant: value })}
          />
        )}
        <Button type="primary" onClick={() => grant({})} disabled={tenant === undefined}>
          {say('grant')}
        </Button>
      </Flex>
      <Grants list={whole(grants, grants.data?.items)} acts={grant} none={say('none')} />
      {grants.data?.hasMore && <span className="quiet">{say('more')}</span>}
      {tenant !== undefined && <GrantDialog tenant={tenant} of={granting} close={() => grant(null)} />}
    </Flex>
  );
}

function useColumns(grant: (grant: Grant) => void): TableColumnsType<Grant> {
  const say = useWords(words);
  return [
    { key: 'account', title: say('account'), render: (_, one) => <bdi className="name">{one.subject}</bdi> },
    { key: 'level', title: say('level'), render: (_, { level }) => <Level level={level} /> },
    { key: 'by', title: say('by'), render: (_, { grantedBy }) => <span className="name">{grantedBy}</span> },
    { key: 'at', title: say('at'), render: (_, { grantedAt }) => <Time at={grantedAt} /> },
    {
      key: 'change',
      render: (_, one) => (
        <Button size="small" onClick={() => grant(one)}>
          {say('change')}
        </Button>
      ),
    },
  ];
}

function GrantDialog({
  tenant,
  of,
  close,
}: {
  tenant: string;
  of: Partial<Grant> | null;
  close: () => void;
}) {
  const say = useWords(words);
  const word = useWords(policyWords);
  const act = useAct({
    act: (body: { subject: string; level: Grant['level'] }) =>
      answerOf(api.POST('/api/core/kb/clearance', { body: { ...body, tenant_code: tenant } })),
    changes: [CLEARANCE],
    quiet: true,
    done: ({ subject, level }) => say('granted', { account: subject, level: word(level) }),
    then: close,
  });
  const needed = [{ required: true, message: say('needed') }];
  const { subject, level = 'internal' } = of ?? {};
  return (
    <FormDialog
      open={of !== null}
      title={say('grant')}
      ok={say('grantDo')}
      initial={{ level, ...(subject === undefined ? {} : { subject }) }}
      act={act}
      close={close}
    >
      <Form.Item name="subject" label={say('account')} extra={say('accountHint')} rules={needed}>
        <Input maxLength={128} disabled={subject !== undefined} />
      </Form.Item>
      <Form.Item name="level" label={say('level')} rules={needed}>
        <Select options={LEVELS.map((value) => ({ value, label: word(value) }))} />
      </Form.Item>
    </FormDialog>
  );
}
