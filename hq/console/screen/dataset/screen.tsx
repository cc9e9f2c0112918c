import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex, Skeleton, Typography } from 'antd';
import { useState } from 'react';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { IntegrationAlarms } from '../integration/alarms.tsx';
import { ConsumerList } from '../subscription/list.tsx';
import { RegisterSource } from './add.tsx';
import { useSources } from './queries.ts';
import { SourceCard } from './source.tsx';
import { words } from './words.ts';

/** Is data fresh, and is a consumer behind? */
export function Data() {
  const say = useWords(words);
  const { can } = useSession();
  return (
    <Page title={say('title')} under={say('under')}>
      {can('integration.view') && <Sources />}
      {can('subscriptions.view') && (
        <Typography.Title level={2} className="section">
          {say('consumers')}
        </Typography.Title>
      )}
      {can('subscriptions.view') && <ConsumerList />}
    </Page>
  );
}

function Sources() {
  const say = useWords(words);
  const { can } = useSession();
  const [adding, setAdding] = useState(false);
  const sources = useSources();
  return (
    <Flex vertical gap="middle">
      <Flex gap="small" wrap justify="space-between" align="center">
        <Typography.Title level={2} className="section">
          {say('sources')}
        </Typography.Title>
        {can('integration.manage') && can('secrets.manage') && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            {say('register')}
          </Button>
        )}
      </Flex>
      <RegisterSource open={adding} close={() => setAdding(false)} />
      <IntegrationAlarms tenant={undefined} />
      <AsOf query={sources} />
      {sources.isPending && <Skeleton active />}
      {sources.data?.length === 0 && <Nothing none={say('none')} />}
      {sources.data?.map((source) => (
        <SourceCard key={source.id} source={source} />
      ))}
    </Flex>
  );
}
