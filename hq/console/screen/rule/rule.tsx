import { Button, Collapse, Descriptions, Drawer, Flex, Popconfirm } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { DataTable } from '../../list/data-table.tsx';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useDescribed } from './described.ts';
import { textOf } from './draft.ts';
import { type Rule, useDifference, useHistory } from './queries.ts';
import { RegisterRule } from './register.tsx';
import { words } from './words.ts';

/** One rule: what it says, its versions, and what each of them changed. */
export function RuleDrawer({ rule, close }: { rule: Rule; close: () => void }) {
  const say = useWords(words);
  const { can } = useSession();
  const history = useHistory(rule);
  const [registering, register] = useState(false);
  const { match, action, message } = useDescribed(rule);
  const facts = (
    [
      ['match', match],
      ['action', action],
      ['says', message],
    ] as const
  ).flatMap(([key, text]) =>
    text === '' ? [] : [{ key, label: say(key), children: <span className="wraps">{text}</span> }],
  );
  return (
    <Drawer
      open
      onClose={close}
      size="large"
      title={<span className="wraps">{rule.name}</span>}
      extra={
        can('rules.manage') && (
          <Flex gap="small">
            <RemoveRule rule={rule} done={close} />
            <Button type="primary" onClick={() => register(true)}>
              {say('newVersion')}
            </Button>
          </Flex>
        )
      }
    >
      <Flex vertical gap="middle">
        <Descriptions
          size="small"
          column={1}
          items={[
            { key: 'kind', label: say('kind'), children: say(rule.kind) },
            {
              key: 'tenant',
              label: say('tenant'),
              children: <span className="wraps">{rule.tenantCode}</span>,
            },
            { key: 'version', label: say('version'), children: rule.version },
            ...facts,
          ]}
        />
        <Collapse
          size="small"
          defaultActiveKey={rule.kind === 'response' ? [] : ['json']}
          items={[
            { key: 'json', label: say('asJson'), children: <pre className="raw">{textOf(rule.body)}</pre> },
          ]}
        />
        <AsOf query={history} />
        <Collapse
          key={rule.version}
          defaultActiveKey={[rule.version]}
          items={(history.data ?? []).map((one) => ({
            key: one.version,
            label: (
              <Flex gap="small" wrap>
                <strong>
                  {say('version')} {one.version}
                </strong>
                <span className="wraps">{one.by}</span>
                <Time at={one.createdAt} />
              </Flex>
            ),
            children: <Difference rule={one} />,
          }))}
        />
      </Flex>
      {registering && <RegisterRule of={rule} close={() => register(false)} />}
    </Drawer>
  );
}

function Difference({ rule }: { rule: Rule }) {
  const say = useWords(words);
  const difference = useDifference(rule, rule.version);
  if (rule.version === 1) return say('first');
  const shown = (value: unknown) => <span className="wraps">{JSON.stringify(value)}</span>;
  return (
    <>
      <AsOf query={difference} />
      <DataTable
        rowKey="path"
        query={difference}
        dataSource={difference.data ?? []}
        locale={{ emptyText: say('same') }}
        columns={[
          { key: 'path', title: say('member'), dataIndex: 'path' },
          { key: 'before', title: say('before'), render: (_, { before }) => shown(before) },
          { key: 'after', title: say('after'), render: (_, { after }) => shown(after) },
        ]}
      />
    </>
  );
}

/** Deletes a rule, once it was confirmed. */
function RemoveRule({ rule, done }: { rule: Rule; done: () => void }) {
  const say = useWords(words);
  const { tenantCode: tenant_code, kind, name } = rule;
  const { run, pending } = useAct({
    act: () =>
      answerOf(api.DELETE('/api/core/objects/rules', { params: { query: { tenant_code, kind, name } } })),
    changes: [['rules']],
    done: () => say('removed', { name }),
    then: done,
  });
  return (
    <Popconfirm title={say('removeWhy')} okText={say('remove')} onConfirm={() => run()}>
      <Button danger loading={pending}>
        {say('remove')}
      </Button>
    </Popconfirm>
  );
}
