import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Form, Select, type TableColumnsType, Tag, Typography } from 'antd';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { DataTable, PAGED } from '../../list/data-table.tsx';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { Time } from '../../time/time.tsx';
import type { Say } from '../../word/catalogue.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { OverlapField } from '../integration/overlap.tsx';
import { scopeWords } from '../integration/scope-words.ts';
import { type Scope, ScopeName, ScopesField } from '../integration/scopes.tsx';
import { SecretShown, type Shown } from '../integration/secret.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { words as common } from '../integration/words.ts';
import { CONSUMER_KEYS, type ConsumerKey, type Subscription } from './queries.ts';
import { words } from './words.ts';

type Show = (shown: Shown) => void;
type Question = { what: 'rotate' | 'withdraw'; key: ConsumerKey } | null;

const secretOf = (
  made: Answer<'/api/core/consumer-keys/{key_id}/rotate', 'post'>,
  say: Say<typeof words>,
): Shown => ({
  title: say('keys'),
  lines: [
    { label: say('keyId'), value: made.keyId },
    { label: say('secret'), value: made.secret },
  ],
  hint: <Typography.Text type="secondary">{say('signs')}</Typography.Text>,
});

/** By which keys do programs read events, and write verdicts? */
export function ConsumerKeys({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const say = useWords(words);
  const [issuing, setIssuing] = useState(false);
  const [asked, ask] = useState<Question>(null);
  const [shown, show] = useState<Shown | null>(null);
  const keys = useQuery({
    queryKey: CONSUMER_KEYS,
    queryFn: async () => (await answerOf(api.GET('/api/core/consumer-keys'))).items,
  });
  const at = (what: 'rotate' | 'withdraw') => ({
    consumerKey: asked?.what === what ? asked.key : null,
    close: () => ask(null),
  });
  return (
    <>
      <Flex gap="small" wrap justify="space-between" align="center">
        <Typography.Title level={2} className="section">
          {say('keys')}
        </Typography.Title>
        <Button icon={<PlusOutlined />} onClick={() => setIssuing(true)}>
          {say('issue')}
        </Button>
      </Flex>
      <AsOf query={keys} />
      <DataTable<ConsumerKey>
        rowKey="keyId"
        columns={useColumns(ask)}
        dataSource={keys.data ?? []}
        query={keys}
        pagination={PAGED}
        locale={{ emptyText: <Nothing none={say('noKeys')} /> }}
      />
      <IssueKey
        open={issuing}
        consumers={subscriptions.map(({ consumer }) => consumer)}
        close={() => setIssuing(false)}
        show={show}
      />
      <RotateKey {...at('rotate')} show={show} />
      <WithdrawKey {...at('withdraw')} />
      <SecretShown shown={shown} close={() => show(null)} />
    </>
  );
}

function useColumns(ask: (question: Question) => void): TableColumnsType<ConsumerKey> {
  const say = useWords(words);
  const sayScopes = useWords(scopeWords);
  const sayCommon = useWords(common);
  return [
    {
      key: 'consumer',
      title: say('consumer'),
      render: (_, { name, tenantCode }) => (
        <Flex vertical className="name-cell">
          <bdi>{name}</bdi>
          <span className="quiet">{tenantCode ?? say('allTenants')}</span>
        </Flex>
      ),
    },
    {
      key: 'id',
      title: say('keyId'),
      render: (_, { keyId }) => (
        <Typography.Text code copyable>
          {keyId}
        </Typography.Text>
      ),
    },
    {
      key: 'scopes',
      title: sayScopes('scopes'),
      render: (_, { scopes }) => (
        <Flex gap={4} wrap>
          {scopes.map((scope) => (
            <Tag key={scope} title={scope}>
              <ScopeName scope={scope} />
            </Tag>
          ))}
        </Flex>
      ),
    },
    {
      key: 'created',
      title: sayCommon('created'),
      render: (_, { createdAt, previousSecretUntil: until }) => (
        <Flex vertical>
          <Time at={createdAt} />
          {until && (
            <span className="quiet">
              {sayCommon('previousUntil')} <Time at={until} />
            </span>
          )}
        </Flex>
      ),
    },
    {
      key: 'act',
      align: 'end',
      render: (_, key) => (
        <Flex gap={4} justify="end">
          <Button size="small" title={key.keyId} onClick={() => ask({ what: 'rotate', key })}>
            {say('rotate')}
          </Button>
          <Button size="small" danger title={key.keyId} onClick={() => ask({ what: 'withdraw', key })}>
            {say('withdraw')}
          </Button>
        </Flex>
      ),
    },
  ];
}

interface Wanted {
  consumer: string;
  scopes: Scope[];
}

function IssueKey({
  open,
  consumers,
  close,
  show,
}: {
  open: boolean;
  consumers: readonly string[];
  close: () => void;
  show: Show;
}) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: ({ consumer, scopes }: Wanted) =>
      answerOf(
        api.POST('/api/core/consumers/{consumer}/keys', { params: { path: { consumer } }, body: { scopes } }),
      ),
    changes: [CONSUMER_KEYS],
    quiet: true,
    done: () => say('issued'),
    then: (made) => {
      close();
      show(secretOf(made, say));
    },
  });
  const needed = [{ required: true, message: sayCommon('needed') }];
  return (
    <FormDialog<Wanted>
      open={open}
      title={say('issue')}
      ok={say('issue')}
      initial={{ scopes: ['events.pull', 'datasets.read'] }}
      act={act}
      close={close}
    >
      <Form.Item name="consumer" label={say('consumer')} rules={needed}>
        <Select showSearch options={consumers.map((value) => ({ value, label: value }))} />
      </Form.Item>
      <ScopesField needed />
    </FormDialog>
  );
}

interface Asked {
  consumerKey: ConsumerKey | null;
  close: () => void;
}

function RotateKey({ consumerKey, close, show }: Asked & { show: Show }) {
  const say = useWords(words);
  const act = useAct({
    act: (body: { overlap_hours: number }) =>
      answerOf(
        api.POST('/api/core/consumer-keys/{key_id}/rotate', {
          params: { path: { key_id: consumerKey?.keyId ?? '' } },
          body,
        }),
      ),
    changes: [CONSUMER_KEYS],
    quiet: true,
    done: () => say('rotated'),
    then: (made) => {
      close();
      show(secretOf(made, say));
    },
  });
  return (
    <FormDialog
      open={consumerKey !== null}
      title={`${say('rotate')}: ${consumerKey?.keyId ?? ''}`}
      ok={say('rotate')}
      act={act}
      close={close}
    >
      <OverlapField />
    </FormDialog>
  );
}

function WithdrawKey({ consumerKey, close }: Asked) {
  const say = useWords(words);
  const act = useAct({
    act: () =>
      answerOf(
        api.DELETE('/api/core/consumer-keys/{key_id}', {
          params: { path: { key_id: consumerKey?.keyId ?? '' } },
        }),
      ),
    changes: [CONSUMER_KEYS],
    quiet: true,
    done: () => say('withdrawn'),
    then: close,
  });
  return (
    <WarnedDialog
      open={consumerKey !== null}
      title={`${say('withdraw')}: ${consumerKey?.keyId ?? ''}`}
      ok={say('withdraw')}
      why={say('withdraws')}
      act={act}
      close={close}
    />
  );
}
