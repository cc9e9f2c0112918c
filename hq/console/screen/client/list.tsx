import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex } from 'antd';
import { type ReactNode, useCallback, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { defineList } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { SecretShown, type Shown } from '../integration/secret.tsx';
import { type Ask, type Question, useColumns } from './columns.tsx';
import { type Client, CLIENTS, useClients } from './queries.ts';
import { CreateClient, DisableClient, EditClient, RemoveClient, RotateClient } from './questions.tsx';
import { words } from './words.ts';

const Clients = defineList<Client, Ask>({ keyOf: ({ client_id: id }) => id, useColumns });

/** Who may read by the open interface? @param clear takes the filter out; undefined when none is set */
export function ClientList({
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
  const list = useClients(tenant);
  const [creating, setCreating] = useState(false);
  const [shown, show] = useState<Shown | null>(null);
  const { ask, at } = useQuestions();
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
      <Clients list={list} acts={ask} none={say('none')} clear={clear} />
      <CreateClient open={creating} close={() => setCreating(false)} show={show} />
      <EditClient {...at('edit')} />
      <RotateClient {...at('rotate')} show={show} />
      <DisableClient {...at('disable')} />
      <RemoveClient {...at('remove')} />
      <SecretShown shown={shown} close={() => show(null)} />
    </>
  );
}

/** What is asked before a client is changed; to enable it takes nothing away, and is done at once. */
function useQuestions() {
  const say = useWords(words);
  const [asked, setAsked] = useState<{ question: Question; client: Client } | null>(null);
  const { run: enable } = useAct({
    act: ({ client_id: id }: Client) =>
      answerOf(
        api.PATCH('/api/integration/clients/{id}', { params: { path: { id } }, body: { status: 'enabled' } }),
      ),
    changes: [CLIENTS],
    done: (_, { heldUp }) => say(heldUp.length > 0 ? 'liftedDone' : 'enabledDone'),
  });
  const ask = useCallback<Ask>(
    (question, client) => {
      if (question === 'enable' || question === 'lift') enable(client);
      else setAsked({ question, client });
    },
    [enable],
  );
  const close = useCallback(() => setAsked(null), []);
  const at = (question: Question) => ({ client: asked?.question === question ? asked.client : null, close });
  return { ask, at };
}
