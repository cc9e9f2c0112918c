import { PlusOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Flex } from 'antd';
import { type ReactNode, useCallback, useState } from 'react';
import { ListTable } from '../../list/list-table.tsx';
import { useRows } from '../../list/rows.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useColumns } from './columns.tsx';
import { CreateWebhook } from './create.tsx';
import { useWebhookDialogs } from './dialogs.tsx';
import { useWebhooks, type Webhook } from './queries.ts';
import { words } from './words.ts';

const keyOf = ({ id }: Webhook): string => id;

/** Did partners get it? @param clear takes the filter out; undefined when none is set */
export function WebhookList({
  tenant,
  clear,
  filter,
}: {
  tenant: string | undefined;
  clear: (() => void) | undefined;
  filter: ReactNode;
}) {
  const say = useWords(words);
  const { can } = useSession();
  const navigate = useNavigate();
  const list = useWebhooks(tenant);
  const { ask, dialogs } = useWebhookDialogs();
  const [creating, setCreating] = useState(false);
  const open = useCallback(
    ({ id }: Webhook) => void navigate({ to: '/integration/webhooks/$id', params: { id } }),
    [navigate],
  );
  const rows = useRows({ rows: list.rows, keyOf, open });
  return (
    <>
      <Flex gap="small" wrap justify="space-between">
        {filter}
        {can('integration.manage') && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
            {say('create')}
          </Button>
        )}
      </Flex>
      <ListTable<Webhook>
        list={list}
        rows={rows}
        columns={useColumns(ask)}
        none={say('none')}
        clear={clear}
      />
      <CreateWebhook open={creating} close={() => setCreating(false)} />
      {dialogs}
    </>
  );
}
