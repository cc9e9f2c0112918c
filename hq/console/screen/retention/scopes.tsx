import { Button, Flex, Form, InputNumber, Popconfirm, Select, type TableColumnsType, Typography } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { DataTable } from '../../list/data-table.tsx';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { FormDialog } from '../integration/form-dialog.tsx';
import { words as common } from '../integration/words.ts';
import { useTenants } from '../policy/eyes.ts';
import { RETENTION, type Scope, useScopes } from './queries.ts';
import { words } from './words.ts';

/** How long the question-and-answer logs of tenants are kept, which is set here. */
export function Scopes() {
  const say = useWords(words);
  const { language } = useLanguage();
  const scopes = useScopes();
  const tenants = useTenants().data ?? [];
  const [setting, setSetting] = useState(false);
  if (tenants.length === 0) return null;
  const columns: TableColumnsType<Scope> = [
    { key: 'tenant', title: say('tenant'), render: (_, one) => <bdi className="name">{one.tenantCode}</bdi> },
    {
      key: 'days',
      title: say('kept'),
      render: (_, { days }) => say('days', { count: number(days, language) }),
    },
    { key: 'at', title: say('setAt'), render: (_, { setAt }) => <Time at={setAt} /> },
    { key: 'by', title: say('setBy'), render: (_, { setBy }) => <span className="name">{setBy}</span> },
    {
      key: 'deleted',
      title: say('deleted'),
      align: 'end',
      render: (_, { deletedTotal }) => <span className="number">{number(deletedTotal, language)}</span>,
    },
    { key: 'unset', render: (_, scope) => <Unset scope={scope} /> },
  ];
  return (
    <Flex vertical gap="small">
      <Flex justify="space-between" align="center" gap="small" wrap>
        <div>
          <Typography.Title level={2} className="section">
            {say('scopes')}
          </Typography.Title>
          <span className="quiet">{say('scopesWhy')}</span>
        </div>
        <Button onClick={() => setSetting(true)}>{say('set')}</Button>
      </Flex>
      <AsOf query={scopes} />
      <DataTable<Scope>
        rowKey="tenantCode"
        columns={columns}
        dataSource={scopes.data ?? []}
        query={scopes}
        locale={{ emptyText: <Nothing none={say('noScopes')} /> }}
      />
      <SetScope open={setting} close={() => setSetting(false)} tenants={tenants} />
    </Flex>
  );
}

function Unset({ scope: { tenantCode } }: { scope: Scope }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { run, pending } = useAct({
    act: () =>
      answerOf(
        api.DELETE('/api/core/retention/scopes', {
          params: { query: { tenant_code: tenantCode, scope: 'qa_log' } },
        }),
      ),
    changes: [RETENTION],
  });
  return (
    <Popconfirm
      title={`${say('unset')}: ${tenantCode}`}
      okText={say('unset')}
      cancelText={sayCommon('cancel')}
      onConfirm={() => run(undefined)}
    >
      <Button size="small" loading={pending}>
        {say('unset')}
      </Button>
    </Popconfirm>
  );
}

function SetScope({
  open,
  close,
  tenants,
}: {
  open: boolean;
  close: () => void;
  tenants: readonly string[];
}) {
  const say = useWords(words);
  const act = useAct({
    act: (body: { tenant_code: string; days: number }) =>
      answerOf(api.POST('/api/core/retention/scopes', { body: { ...body, scope: 'qa_log' } })),
    changes: [RETENTION],
    quiet: true,
    done: () => say('setDone'),
    then: close,
  });
  const needed = [{ required: true, message: say('needed') }];
  return (
    <FormDialog open={open} title={say('set')} ok={say('setDo')} danger act={act} close={close}>
      <Typography.Paragraph>{say('setWhy')}</Typography.Paragraph>
      <Form.Item name="tenant_code" label={say('tenant')} rules={needed}>
        <Select options={tenants.map((value) => ({ value, label: value }))} />
      </Form.Item>
      <Form.Item name="days" label={say('keepDays')} rules={needed}>
        <InputNumber min={1} max={36_500} precision={0} />
      </Form.Item>
    </FormDialog>
  );
}
