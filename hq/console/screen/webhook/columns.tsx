import { Link } from '@tanstack/react-router';
import { Flex, type TableColumnsType, Typography } from 'antd';
import { useMemo } from 'react';
import { useWide } from '../../app/asked.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import { type Ask, WebhookActions } from './actions.tsx';
import { CallbackUrl, LastDay, Subscribed, WebhookStatus } from './labels.tsx';
import type { Webhook } from './queries.ts';
import { words } from './words.ts';

/** @param ask opens what a control of a row asks first */
export function useColumns(ask: Ask): TableColumnsType<Webhook> {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { can } = useSession();
  const wide = useWide('lg');
  const manages = can('integration.manage');
  return useMemo(() => {
    const columns: TableColumnsType<Webhook> = [
      {
        key: 'name',
        title: say('name'),
        render: (_, { id, name, tenantCode }) => (
          <Flex vertical className="name-cell">
            <Link to="/integration/webhooks/$id" params={{ id }} title={name}>
              <bdi>{name}</bdi>
            </Link>
            <Typography.Text type="secondary" ellipsis>
              {tenantCode}
            </Typography.Text>
          </Flex>
        ),
      },
      { key: 'url', title: say('url'), render: (_, { callbackUrl }) => <CallbackUrl url={callbackUrl} /> },
      { key: 'events', title: say('events'), render: (_, { events }) => <Subscribed events={events} /> },
      {
        key: 'status',
        title: sayCommon('status'),
        render: (_, webhook) => <WebhookStatus webhook={webhook} />,
      },
      { key: 'lastDay', title: say('lastDay'), render: (_, { lastDay }) => <LastDay counts={lastDay} /> },
      {
        key: 'actions',
        title: say('actions'),
        ...(wide ? { fixed: 'end' as const } : {}),
        render: (_, webhook) => (
          <Flex gap="small" align="center">
            <Link to="/integration/webhooks/$id" params={{ id: webhook.id }}>
              {say('deliveries')}
            </Link>
            {manages && <WebhookActions webhook={webhook} ask={ask} />}
          </Flex>
        ),
      },
    ];
    return columns;
  }, [say, sayCommon, manages, wide, ask]);
}
