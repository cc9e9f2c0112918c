import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Flex, Form, Input, Select, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { defineList, whole } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { words as common } from '../integration/words.ts';
import { type Secret, SECRETS } from './give.ts';
import { words } from './words.ts';

const USES = ['push', 'dataset', 'channel', 'channel_address', 'device'] as const;

interface Acts {
  give: (secret: Secret) => void;
  remove: (secret: Secret) => void;
}

const Secrets = defineList<Secret, Acts>({
  keyOf: ({ name, tenantCode }) => JSON.stringify([tenantCode, name]),
  useColumns,
});

/** What the hub signs and opens with; the secrets themselves are never shown. */
export function SecretList() {
  const say = useWords(words);
  const [giving, give] = useState<Secret | 'new' | null>(null);
  const [removing, remove] = useState<Secret | null>(null);
  const secrets = useQuery({
    queryKey: SECRETS,
    queryFn: async () => (await answerOf(api.GET('/api/core/secrets'))).items,
  });
  return (
    <Flex vertical gap="middle">
      <Flex justify="end">
        <Button type="primary" icon={<PlusOutlined />} onClick={() => give('new')}>
          {say('create')}
        </Button>
      </Flex>
      <Secrets list={whole(secrets, secrets.data)} acts={{ give, remove }} none={say('none')} />
      <GiveSecret present={giving} close={() => give(null)} />
      <RemoveSecret secret={removing} close={() => remove(null)} />
    </Flex>
  );
}

function useColumns({ give, remove }: Acts): TableColumnsType<Secret> {
  const say = useWords(words);
  return [
    {
      key: 'name',
      title: say('name'),
      render: (_, { name, tenantCode }) => (
        <Flex vertical className="name-cell">
          <bdi>{name}</bdi>
          <span className="quiet">{tenantCode ?? say('noTenant')}</span>
        </Flex>
      ),
    },
    { key: 'use', title: say('use'), render: (_, { use }) => say(use) },
    { key: 'host', title: say('host'), render: (_, { host }) => <bdi className="breaks">{host}</bdi> },
    { key: 'updated', title: say('updated'), render: (_, { updatedAt }) => <Time at={updatedAt} /> },
    {
      key: 'act',
      align: 'end',
      render: (_, secret) => (
        <Flex gap={4} justify="end">
          <Button size="small" title={secret.name} onClick={() => give(secret)}>
            {say('replace')}
          </Button>
          <Button size="small" danger title={secret.name} onClick={() => remove(secret)}>
            {say('remove')}
          </Button>
        </Flex>
      ),
    },
  ];
}

interface Wanted {
  name: string;
  every?: boolean;
  tenant_code?: string;
  use: Secret['use'];
  host: string;
  secret: string;
}

/** @param present whose place another one takes; null: nothing is asked */
function GiveSecret({ present, close }: { present: Secret | 'new' | null; close: () => void }) {
  const say = useWords(words);
  const known = present === 'new' ? null : present;
  const act = useAct({
    act: (wanted: Partial<Wanted> & { secret: string }) => {
      const { name = '', every, tenant_code: tenant, use = 'push', host = '', secret } = { ...wanted };
      const of = known ?? { name, use, host, tenantCode: every ? null : (tenant ?? null) };
      return answerOf(
        api.PUT('/api/core/secrets/{name}', {
          params: { path: { name: of.name } },
          body: {
            use: of.use,
            host: of.host,
            secret,
            ...(of.tenantCode === null ? {} : { tenant_code: of.tenantCode }),
          },
        }),
      );
    },
    changes: [SECRETS],
    quiet: true,
    done: () => say('given'),
    then: close,
  });
  return (
    <FormDialog
      open={present !== null}
      title={known ? `${say('replace')}: ${known.name}` : say('create')}
      ok={known ? say('replace') : say('create')}
      act={act}
      close={close}
    >
      {!known && <BindingFields />}
      <SecretField />
    </FormDialog>
  );
}

function useNeeded() {
  const sayCommon = useWords(common);
  return [{ required: true, whitespace: true, message: sayCommon('needed') }];
}

/** What a secret is for, which nothing else may use it for. */
function BindingFields() {
  const say = useWords(words);
  const needed = useNeeded();
  const every: boolean | undefined = Form.useWatch('every');
  return (
    <>
      <Form.Item name="name" label={say('name')} extra={say('nameHint')} rules={needed}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="use" label={say('use')} rules={needed}>
        <Select options={USES.map((value) => ({ value, label: say(value) }))} />
      </Form.Item>
      <Form.Item name="every" valuePropName="checked">
        <Checkbox>{say('every')}</Checkbox>
      </Form.Item>
      {!every && <TenantField />}
      <Form.Item name="host" label={say('host')} extra={say('hostHint')} rules={needed}>
        <Input maxLength={255} />
      </Form.Item>
    </>
  );
}

function SecretField() {
  const say = useWords(words);
  return (
    <Form.Item name="secret" label={say('secret')} extra={say('secretHint')} rules={useNeeded()}>
      <Input.Password maxLength={2048} autoComplete="new-password" />
    </Form.Item>
  );
}

function RemoveSecret({ secret, close }: { secret: Secret | null; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: () =>
      answerOf(
        api.DELETE('/api/core/secrets/{name}', {
          params: {
            path: { name: secret?.name ?? '' },
            query: secret?.tenantCode ? { tenant_code: secret.tenantCode } : {},
          },
        }),
      ),
    changes: [SECRETS],
    quiet: true,
    done: () => say('removed'),
    then: close,
  });
  return (
    <WarnedDialog
      open={secret !== null}
      title={`${say('remove')}: ${secret?.name ?? ''}`}
      ok={say('remove')}
      why={say('removes')}
      act={act}
      close={close}
    />
  );
}
