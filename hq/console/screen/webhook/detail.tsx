import { ArrowLeftOutlined } from '@ant-design/icons';
import { Link, useParams } from '@tanstack/react-router';
import { Flex, Skeleton } from 'antd';
import { FactTable } from '../../page/fact-table.tsx';
import { AsOf } from '../../page/fault.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { DeliveryList } from '../delivery/list.tsx';
import { words as common } from '../integration/words.ts';
import { WebhookActions } from './actions.tsx';
import { useWebhookDialogs } from './dialogs.tsx';
import { CallbackUrl, LastDay, Subscribed, WebhookStatus } from './labels.tsx';
import { useWebhook, type Webhook } from './queries.ts';
import { words } from './words.ts';

/** One webhook: how it is set, and what was delivered to it. */
export function WebhookDetail() {
  const say = useWords(words);
  const { id = '' } = useParams({ strict: false });
  const { can } = useSession();
  const webhook = useWebhook(id);
  const { ask, dialogs } = useWebhookDialogs();
  const { data } = webhook;
  return (
    <Page
      title={data?.name ?? say('deliveries')}
      under={
        <Link to="/integration">
          <ArrowLeftOutlined /> {say('back')}
        </Link>
      }
      actions={data && can('integration.manage') && <WebhookActions webhook={data} ask={ask} />}
    >
      <AsOf query={webhook} />
      {webhook.isPending && <Skeleton active />}
      {data && <Settings webhook={data} />}
      {data && (
        <Flex vertical gap="middle">
          <DeliveryList webhook={id} />
        </Flex>
      )}
      {dialogs}
    </Page>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { callbackUrl, events, lastDay, tenantCode, createdAt, previousSecretUntil } = webhook;
  const items = [
    { key: 'url', label: say('url'), children: <CallbackUrl url={callbackUrl} /> },
    { key: 'status', label: sayCommon('status'), children: <WebhookStatus webhook={webhook} /> },
    { key: 'events', label: say('events'), children: <Subscribed events={events} /> },
    { key: 'lastDay', label: say('lastDay'), children: <LastDay counts={lastDay} /> },
    { key: 'tenant', label: sayCommon('tenant'), children: tenantCode },
    { key: 'created', label: sayCommon('created'), children: <Time at={createdAt} /> },
    ...(previousSecretUntil
      ? [{ key: 'old', label: sayCommon('previousUntil'), children: <Time at={previousSecretUntil} /> }]
      : []),
  ];
  return <FactTable items={items} />;
}
