import { MoreOutlined } from '@ant-design/icons';
import { Button, Dropdown, Flex, type TableColumnsType, Typography } from 'antd';
import { Fragment, useMemo } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { ScopeName } from '../integration/scopes.tsx';
import { EnabledTag } from '../integration/status.tsx';
import { words as common } from '../integration/words.ts';
import type { Client } from './queries.ts';
import { words } from './words.ts';

export type Question = 'edit' | 'rotate' | 'disable' | 'enable' | 'lift' | 'remove';
/** Opens what is asked before it is done. */
export type Ask = (question: Question, client: Client) => void;

export function useColumns(ask: Ask): TableColumnsType<Client> {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { can } = useSession();
  const manages = can('integration.manage');
  return useMemo(
    () => [
      {
        key: 'name',
        title: sayCommon('name'),
        render: (_, { name, tenantCode, scopes }) => (
          <Flex vertical className="name-cell">
            <Typography.Text ellipsis={{ tooltip: name }}>
              <bdi>{name}</bdi>
            </Typography.Text>
            <Typography.Text type="secondary" ellipsis>
              {tenantCode}
            </Typography.Text>
            {scopes.length > 0 && (
              <span className="quiet">
                {scopes.map((scope, index) => (
                  <Fragment key={scope}>
                    {index > 0 && ' · '}
                    <ScopeName scope={scope} />
                  </Fragment>
                ))}
              </span>
            )}
          </Flex>
        ),
      },
      {
        key: 'id',
        title: say('id'),
        render: (_, { client_id: id }) => (
          <Typography.Text code copyable>
            {id}
          </Typography.Text>
        ),
      },
      {
        key: 'status',
        title: sayCommon('status'),
        render: (_, { status, previousSecretUntil: until, heldUp }) => (
          <Flex vertical gap={2} align="start">
            <EnabledTag status={status} />
            {until && (
              <span className="quiet">
                {sayCommon('previousUntil')} <Time at={until} />
              </span>
            )}
            {heldUp.map(({ ip, until: end }) => (
              <Typography.Text key={ip} type="warning">
                {say('heldUp', { ip })} <Time at={end} />
              </Typography.Text>
            ))}
          </Flex>
        ),
      },
      {
        key: 'created',
        title: sayCommon('created'),
        render: (_, { createdAt }) => <Time at={createdAt} />,
      },
      {
        key: 'used',
        title: say('lastUsed'),
        render: (_, { lastUsedAt: at }) =>
          at === null ? <span className="quiet">{say('neverUsed')}</span> : <Time at={at} />,
      },
      ...(manages
        ? [{ key: 'actions', render: (_: unknown, client: Client) => <Actions client={client} ask={ask} /> }]
        : []),
    ],
    [say, sayCommon, manages, ask],
  );
}

function Actions({ client, ask }: { client: Client; ask: Ask }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const enabled = client.status === 'enabled';
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        onClick: ({ key }) => ask(key as Question, client),
        items: [
          { key: 'edit', label: sayCommon('edit') },
          { key: 'rotate', label: sayCommon('rotate') },
          enabled
            ? { key: 'disable', label: sayCommon('disable') }
            : { key: 'enable', label: sayCommon('enable') },
          ...(client.heldUp.length > 0 ? [{ key: 'lift', label: say('lift') }] : []),
          { type: 'divider' },
          { key: 'remove', label: sayCommon('remove'), danger: true },
        ],
      }}
    >
      <Button size="small" icon={<MoreOutlined />} aria-label={`${sayCommon('more')}: ${client.name}`} />
    </Dropdown>
  );
}
