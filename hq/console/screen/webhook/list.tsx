import { PlusOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Flex } from 'antd';
import { type ReactNode, useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import type { Ask } from './actions.tsx';
import { useColumns } from './columns.tsx';
import { CreateWebhook } from './create.tsx';
import { useWebhookDialogs } from './dialogs.tsx';
import { useWebhooks, type Webhook } from './queries.ts';
import { words } from './words.ts';

const Webhooks = defineList<Webhook, Ask>({
  keyOf: ({ id }) => id,
  useColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ id }) => void navigate({ to: '/integration/webhooks/$id', params: { id } });
  },
});

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
  const list = useWebhooks(tenant);
  const { ask, dialogs } = useWebhookDialogs();
  const [creating, setCreating] = useState(false);
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
      <Webhooks list={list} acts={ask} none={say('none')} clear={clear} />
      <CreateWebhook open={creating} close={() => setCreating(false)} />
      {dialogs}
    </>
  );
}
