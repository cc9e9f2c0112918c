import { ReadOutlined } from '@ant-design/icons';
import { Button, Flex, Input, Tabs } from 'antd';
import { useFilters } from '../../list/filter.ts';
import { Page } from '../../page/page.tsx';
import { useWords } from '../../word/language.tsx';
import { ClientList } from '../client/list.tsx';
import { WebhookList } from '../webhook/list.tsx';
import { IntegrationAlarms } from './alarms.tsx';
import { integrationFilters } from './filters.ts';
import { words } from './words.ts';

/** Did partners get it, and who may read? The two tabs of document 1. */
export function Integration() {
  const say = useWords(words);
  const { filters, change } = useFilters(integrationFilters);
  const { tab = 'webhooks', tenant } = filters;
  const clear = tenant === undefined ? undefined : (): void => change({ tenant: undefined });
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={
        <Button icon={<ReadOutlined />} href="/docs" target="_blank" rel="noreferrer">
          {say('docs')}
        </Button>
      }
    >
      <IntegrationAlarms tenant={tenant} />
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => change({ tab: key === 'clients' ? 'clients' : undefined }, { push: true })}
        items={[
          {
            key: 'webhooks',
            label: say('webhooks'),
            children: (
              <Flex vertical gap="middle">
                <WebhookList tenant={tenant} clear={clear} filter={<TenantFilter />} />
              </Flex>
            ),
          },
          {
            key: 'clients',
            label: say('clients'),
            children: (
              <Flex vertical gap="middle">
                <ClientList tenant={tenant} clear={clear} filter={<TenantFilter />} />
              </Flex>
            ),
          },
        ]}
      />
    </Page>
  );
}

/** Acts at the hub; a whole code, since nothing of a tenant is told by a part of it. */
function TenantFilter() {
  const say = useWords(words);
  const { filters, change } = useFilters(integrationFilters);
  return (
    <Input.Search
      key={filters.tenant}
      className="filter-text"
      placeholder={say('tenantFilter')}
      aria-label={say('tenantFilter')}
      defaultValue={filters.tenant}
      maxLength={64}
      allowClear
      onSearch={(tenant) => change({ tenant: tenant.trim() || undefined })}
    />
  );
}
