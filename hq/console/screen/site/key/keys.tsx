import { useNavigate } from '@tanstack/react-router';
import { App, Button, Flex, type TableColumnsType, Typography } from 'antd';
import { useState } from 'react';
import { DataTable } from '../../../list/data-table.tsx';
import { useAct } from '../../../page/act.ts';
import { AsOf } from '../../../page/fault.tsx';
import { Nothing } from '../../../page/nothing.tsx';
import { useSession } from '../../../session/session.tsx';
import { Time } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import { type Registered, useRegistered } from '../queries.ts';
import { issueCode, issueKey, type JoiningCode, type NewKey, removeSite, withdrawKey } from './acts.ts';
import { CodeOnce } from './code.tsx';
import { RotateKey } from './rotate.tsx';
import { SecretOnce } from './secret.tsx';
import { words } from './words.ts';

type Key = Registered['keys'][number];

/** The keys of a site; who may changes them. */
export function SiteKeys({ instance }: { instance: string }) {
  const say = useWords(words);
  const { can } = useSession();
  const registered = useRegistered(instance);
  const [made, setMade] = useState<NewKey | null>(null);
  const [code, setCode] = useState<JoiningCode | null>(null);
  const [rotating, rotate] = useState<string | null>(null);
  const keys = registered.data?.keys ?? [];
  const manages = can('sites.manage');
  const columns = useColumns({ instance, only: keys.length === 1, manages, rotate });
  return (
    <Flex vertical gap="small">
      <AsOf query={registered} />
      <DataTable<Key>
        rowKey={({ keyId }) => keyId}
        columns={columns}
        dataSource={keys}
        query={registered}
        locale={{ emptyText: <Nothing none={say('none')} /> }}
      />
      {manages && <Changes instance={instance} show={setMade} showCode={setCode} />}
      {rotating !== null && (
        <RotateKey
          instance={instance}
          keyId={rotating}
          close={() => rotate(null)}
          show={(key) => {
            rotate(null);
            setMade(key);
          }}
        />
      )}
      {code && <CodeOnce made={code} close={() => setCode(null)} />}
      {made && <SecretOnce made={made} close={() => setMade(null)} />}
    </Flex>
  );
}

function Changes({
  instance,
  show,
  showCode,
}: {
  instance: string;
  show: (made: NewKey) => void;
  showCode: (made: JoiningCode) => void;
}) {
  const say = useWords(words);
  const { modal } = App.useApp();
  const navigate = useNavigate();
  const changes = [['site', instance, 'registered']];
  const issue = useAct({ act: () => issueKey(instance), changes, then: show });
  const join = useAct({ act: () => issueCode(instance), changes, done: () => null, then: showCode });
  const remove = useAct({
    act: () => removeSite(instance),
    changes: [['sites']],
    then: () => void navigate({ to: '/sites' }),
  });
  const ask = (): void =>
    void modal.confirm({
      title: say('removeTitle', { site: instance }),
      content: say('removeMeans'),
      okText: say('remove'),
      okButtonProps: { danger: true },
      onOk: () => remove.run(),
    });
  return (
    <Flex vertical gap="small" align="start">
      <Flex gap="small" wrap align="center">
        <Button onClick={() => join.run()} loading={join.pending}>
          {say('code')}
        </Button>
        <Typography.Text type="secondary">{say('codeMeans')}</Typography.Text>
      </Flex>
      <Flex gap="small" wrap align="center">
        <Button onClick={() => issue.run()} loading={issue.pending}>
          {say('issue')}
        </Button>
        <Typography.Text type="secondary">{say('issueMeans')}</Typography.Text>
      </Flex>
      <Button danger onClick={ask} loading={remove.pending} className="apart">
        {say('remove')}
      </Button>
    </Flex>
  );
}

function useColumns({
  instance,
  only,
  manages,
  rotate,
}: {
  instance: string;
  /** Whether it is the only key. */
  only: boolean;
  manages: boolean;
  rotate: (keyId: string) => void;
}): TableColumnsType<Key> {
  const say = useWords(words);
  const { modal } = App.useApp();
  const withdraw = useAct({
    act: (keyId: string) => withdrawKey(instance, keyId),
    changes: [['site', instance, 'registered']],
  });
  const ask = (keyId: string): void =>
    void modal.confirm({
      title: say('withdrawTitle', { key: keyId }),
      content: [only && say('lastKey'), say('withdrawMeans')].filter(Boolean).join(' '),
      okText: say('withdraw'),
      okButtonProps: { danger: true },
      onOk: () => withdraw.run(keyId),
    });
  return [
    { key: 'key', title: say('keyId'), render: (_, { keyId }) => <code className="name">{keyId}</code> },
    { key: 'made', title: say('made'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    {
      key: 'former',
      title: say('former'),
      render: (_, { previousSecretUntil: until }) => until && <Time at={until} />,
    },
    ...(manages
      ? [
          {
            key: 'change',
            render: (_: unknown, { keyId }: Key) => (
              <Flex gap="small" justify="end">
                <Button size="small" onClick={() => rotate(keyId)}>
                  {say('rotate')}
                </Button>
                <Button size="small" danger onClick={() => ask(keyId)}>
                  {say('withdraw')}
                </Button>
              </Flex>
            ),
          },
        ]
      : []),
  ];
}
