import { PlusOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Alert, Button, Checkbox, Flex, Select, type TableColumnsType, Tag } from 'antd';
import { useMemo, useState } from 'react';
import { defineList, whole } from '../../../list/define.tsx';
import { useFilters } from '../../../list/filter.ts';
import { Typed } from '../../../list/typed.tsx';
import { Page } from '../../../page/page.tsx';
import { useSession } from '../../../session/session.tsx';
import { useWords } from '../../../word/language.tsx';
import { severities } from '../../event/filters.ts';
import { SeverityTag } from '../../event/labels.tsx';
import { type EventType, useEventTypes, useTypeName } from '../../event/type-name.tsx';
import { words as eventWords } from '../../event/words.ts';
import { TenantChoice, useKnownTenants } from '../../report/tenant.tsx';
import { typeFilters } from '../filters.ts';
import { AddType } from './add.tsx';
import { type Severity, useSetting } from './setting.ts';
import { typeWords } from './words.ts';

interface Acts {
  tenant: string;
  manages: boolean;
}

const Types = defineList<EventType, Acts>({ keyOf: ({ type }) => type, useColumns });

/** How grave is each type of event, and where does the tenant differ from the standard? */
export function TypeList() {
  const say = useWords(typeWords);
  const { can, identity } = useSession();
  const { filters, change, clear } = useFilters(typeFilters);
  const known = useKnownTenants();
  const tenant = identity.tenantCode ?? filters.tenant ?? known[0] ?? '';
  const query = useEventTypes(tenant);
  const [adding, add] = useState(false);
  const shown = useShown(query.data?.items, filters);
  const version = query.data?.version ?? null;
  return (
    <Page title={say('title')} under={say('under')} actions={<Actions add={() => add(true)} of={tenant} />}>
      <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
        <Typed label={say('find')} className="filter-text" value={filters.q} change={(q) => change({ q })} />
        <TenantChoice value={tenant || undefined} change={(chosen) => change({ tenant: chosen })} />
        <Checkbox
          checked={filters.own === 'yes'}
          onChange={({ target }) => change({ own: target.checked ? 'yes' : undefined })}
        >
          {say('ownOnly')}
        </Checkbox>
      </Flex>
      <span className="quiet">
        {say('standardMeans')} {say('takes')}{' '}
        {query.data && (version === null ? say('noVersion') : say('version', { version }))}
      </span>
      {tenant === '' && <Alert type="info" showIcon title={say('whose')} />}
      <Types
        list={{ ...whole(query, shown), pages: { isPending: query.isLoading, data: query.data } }}
        acts={{ tenant, manages: can('rules.manage') }}
        none={say('none')}
        clear={clear}
      />
      {adding && <AddType tenant={tenant} types={query.data?.items ?? []} close={() => add(false)} />}
    </Page>
  );
}

function Actions({ add, of }: { add: () => void; of: string }) {
  const say = useWords(typeWords);
  const { can } = useSession();
  return (
    <>
      <Link to="/rules">{say('rules')}</Link>
      {can('rules.manage') && (
        <Button type="primary" icon={<PlusOutlined />} disabled={of === ''} onClick={add}>
          {say('add')}
        </Button>
      )}
    </>
  );
}

/** Those of the tenant's own first, and otherwise as the hub has them, the gravest first. */
function useShown(items: readonly EventType[] | undefined, { q, own }: ReturnType<typeof typeFilters>) {
  return useMemo(() => {
    const wanted = q?.toLowerCase();
    return (items ?? [])
      .filter(({ registered }) => own === undefined || registered)
      .filter(
        ({ type, nameZh, nameEn }) =>
          wanted === undefined ||
          [type, nameZh, nameEn].some((text) => text?.toLowerCase().includes(wanted) === true),
      )
      .toSorted((a, b) => Number(b.registeredAs === b.type) - Number(a.registeredAs === a.type));
  }, [items, q, own]);
}

function useColumns({ tenant, manages }: Acts): TableColumnsType<EventType> {
  const say = useWords(typeWords);
  const named = useTypeName(tenant);
  return [
    {
      key: 'type',
      title: say('type'),
      render: (_, { type }) => (
        <div className="two-lines">
          <span>{named(type)}</span>
          {named(type) !== type && <code className="quiet">{type}</code>}
        </div>
      ),
    },
    {
      key: 'inForce',
      title: say('inForce'),
      render: (_, { severity }) => <SeverityTag severity={severity} />,
    },
    {
      key: 'standard',
      title: say('standard'),
      render: (_, { standard }) => (standard === null ? '—' : <SeverityTag severity={standard} />),
    },
    {
      key: 'own',
      title: say('own'),
      render: (_, one) => <Own of={one} name={named(one.type)} tenant={tenant} manages={manages} />,
    },
  ];
}

interface OwnProps {
  of: EventType;
  name: string;
  tenant: string;
  manages: boolean;
}

function Own({ of: { type, severity, registeredAs }, name, tenant, manages }: OwnProps) {
  const say = useWords(typeWords);
  const sayEvent = useWords(eventWords);
  const { run, pending } = useSetting(tenant);
  const own = registeredAs === type ? severity : null;
  const pattern = registeredAs !== null && own === null && (
    <Tag className="name">{say('byPattern', { pattern: registeredAs })}</Tag>
  );
  if (!manages)
    return pattern || (own === null ? <span className="quiet">{say('notOwn')}</span> : sayEvent(own));
  return (
    <Flex vertical gap={4} align="start">
      <Select<Severity | 'standard'>
        className="filter-choice"
        aria-label={say('severityOf', { type: name })}
        value={own ?? 'standard'}
        loading={pending}
        disabled={pending}
        options={[
          { value: 'standard', label: say('asStandard') },
          ...severities.map((value) => ({ value, label: sayEvent(value) })),
        ]}
        onChange={(value) => run({ type, name, seen: own, severity: value === 'standard' ? null : value })}
      />
      {pattern}
    </Flex>
  );
}
