import { AutoComplete, Button, Drawer, Flex, Tag } from 'antd';
import { useState } from 'react';
import { DataTable } from '../../../list/data-table.tsx';
import { AsOf } from '../../../page/fault.tsx';
import { useSession } from '../../../session/session.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { THRESHOLDS } from '../draft.ts';
import { type Threshold, useThresholds } from '../queries.ts';
import { RegisterRule } from '../register.tsx';
import { thresholdWords } from './words.ts';

/** The thresholds that count for a tenant, with what each may be. @param tenants those that are known */
export function ThresholdDrawer({ tenants, close }: { tenants: readonly string[]; close: () => void }) {
  const say = useWords(thresholdWords);
  const { can, identity } = useSession();
  const [chosen, choose] = useState<string>();
  // What is known may come after this was opened.
  const tenant = chosen ?? identity.tenantCode ?? tenants[0] ?? '';
  const [changing, change] = useState(false);
  const query = useThresholds(tenant.trim());
  return (
    <Drawer
      open
      size="large"
      onClose={close}
      title={say('title')}
      extra={
        can('rules.manage') && (
          <Button type="primary" disabled={!query.data} onClick={() => change(true)}>
            {say('change')}
          </Button>
        )
      }
    >
      <Flex vertical gap="middle">
        {identity.tenantCode === null && (
          <AutoComplete
            aria-label={say('tenant')}
            placeholder={say('whose')}
            maxLength={64}
            value={tenant}
            options={tenants.map((value) => ({ value }))}
            onChange={choose}
          />
        )}
        <AsOf query={query} />
        {query.data && (
          <span className="quiet">
            {query.data.version === null ? say('none') : say('version', { version: query.data.version })}
          </span>
        )}
        <Values items={query.data?.items ?? []} />
      </Flex>
      {changing && (
        <RegisterRule
          of={{ tenantCode: tenant.trim(), kind: 'threshold', name: THRESHOLDS, body: {} }}
          close={() => change(false)}
        />
      )}
    </Drawer>
  );
}

function Values({ items }: { items: readonly Threshold[] }) {
  const say = useWords(thresholdWords);
  const { language } = useLanguage();
  const amount = (value: number, unit: Threshold['unit']): string =>
    `${number(value, language)}${unit === null ? '' : ` ${say('seconds')}`}`;
  return (
    <DataTable<Threshold>
      rowKey="name"
      dataSource={[...items]}
      columns={[
        { key: 'name', title: say('name'), render: (_, { name }) => <Named name={name} /> },
        {
          key: 'value',
          title: say('value'),
          align: 'end',
          render: (_, { value, unit }) => <strong className="number">{amount(value, unit)}</strong>,
        },
        {
          key: 'range',
          title: say('range'),
          render: (_, { minimum, maximum, unit }) => (
            <span className="number">
              {number(minimum, language)} – {amount(maximum, unit)}
            </span>
          ),
        },
        {
          key: 'standard',
          title: say('standard'),
          align: 'end',
          render: (_, { standard, unit }) => <span className="number">{amount(standard, unit)}</span>,
        },
        {
          key: 'source',
          title: say('source'),
          render: (_, { registered }) =>
            registered ? <Tag color="processing">{say('registered')}</Tag> : <Tag>{say('builtin')}</Tag>,
        },
      ]}
    />
  );
}

function Named({ name }: { name: string }) {
  const say = useWords(thresholdWords);
  const about = `about_${name}`;
  if (!(about in thresholdWords)) return name;
  return (
    <div className="said">
      {say(name as 'judge_min_conf')}
      <div className="quiet">{say(about as 'about_judge_min_conf')}</div>
    </div>
  );
}
