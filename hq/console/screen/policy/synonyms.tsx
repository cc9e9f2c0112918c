import { Button, Flex, Input, Popconfirm, Switch, type TableColumnsType, Tag, Typography } from 'antd';
import { type ReactNode, useState } from 'react';
import { DataTable, PAGED } from '../../list/data-table.tsx';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useEyes } from './eyes.ts';
import { LibraryFrame } from './frame.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { type Synonyms, useChange, useSynonyms } from './synonym-queries.ts';
import { synonymWords } from './synonym-words.ts';

/** Which words mean the same to a tenant? */
export function PolicySynonyms() {
  const eyes = useEyes();
  const table = useSynonyms(eyes?.tenant);
  const say = useWords(synonymWords);
  return (
    <LibraryFrame tab="synonyms" byLevel={false}>
      <Typography.Text type="secondary">
        {say('about')} {say('who')}
      </Typography.Text>
      <AsOf query={table} />
      {table.data && <Groups table={table.data} />}
    </LibraryFrame>
  );
}

interface Row {
  /** Place among the groups of the tenant, or among those that are shipped. */
  at: number;
  words: string[];
}

const rowsOf = (groups: readonly string[][], q: string): Row[] =>
  groups
    .map((words, at) => ({ at, words }))
    .filter(({ words }) => words.some((word) => word.toLowerCase().includes(q.trim().toLowerCase())));

function Groups({ table }: { table: Synonyms }) {
  const say = useWords(synonymWords);
  const { can } = useSession();
  const [q, find] = useState('');
  /** The place of the group that is changed, in the table as it was then; `new`: one more. */
  const [editing, begin] = useState<{ table: Synonyms; at: number | 'new' } | null>(null);
  const edit = (at: number | 'new'): void => begin({ table, at });
  const { run, pending } = useChange(table);
  const may = can('policy.manage');
  const { groups, shipped, shippedGroups, setBy, setAt } = table;
  const own: TableColumnsType<Row> = [
    wordsColumn(say('words')),
    ...(may
      ? [
          {
            key: 'act',
            width: 180,
            render: (_: unknown, { at }: Row) => (
              <Flex gap="small">
                <Button size="small" onClick={() => edit(at)}>
                  {say('change')}
                </Button>
                <Popconfirm
                  title={say('removeSure')}
                  okText={say('remove')}
                  onConfirm={() => run({ groups: groups.filter((_group, place) => place !== at), shipped })}
                >
                  <Button size="small" danger loading={pending}>
                    {say('remove')}
                  </Button>
                </Popconfirm>
              </Flex>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <Flex gap="small" wrap justify="space-between" align="center">
        <Input.Search
          className="filter-wide"
          aria-label={say('find')}
          placeholder={say('find')}
          allowClear
          value={q}
          onChange={({ target }) => find(target.value)}
        />
        {may && (
          <Button type="primary" onClick={() => edit('new')}>
            {say('add')}
          </Button>
        )}
      </Flex>
      <Section title={say('own')}>
        {setBy !== null && (
          <span className="quiet">
            {say('setBy', { who: setBy })} {setAt !== null && <Time at={setAt} />}
          </span>
        )}
        <GroupTable rows={rowsOf(groups, q)} columns={own} none={say(q === '' ? 'none' : 'noneFound')} />
      </Section>
      <Section title={say('shippedGroups')}>
        <Flex gap="small" align="center">
          <Switch
            aria-label={say('shipped')}
            checked={shipped}
            disabled={!may}
            loading={pending}
            onChange={(on) => run({ groups, shipped: on })}
          />
          <span>{say('shipped')}</span>
          {!shipped && <Tag>{say('shippedOff')}</Tag>}
        </Flex>
        <GroupTable
          rows={rowsOf(shippedGroups, q)}
          columns={[wordsColumn(say('words'))]}
          none={say('noneFound')}
        />
      </Section>
      <GroupDialog table={editing?.table ?? table} at={editing?.at ?? null} close={() => begin(null)} />
    </>
  );
}

const wordsColumn = (title: string) => ({
  key: 'words',
  title,
  render: (_: unknown, { words }: Row) => (
    <Flex gap={4} wrap>
      {words.map((word) => (
        <Tag key={word}>
          <bdi>{word}</bdi>
        </Tag>
      ))}
    </Flex>
  ),
});

function GroupTable({ rows, columns, none }: { rows: Row[]; columns: TableColumnsType<Row>; none: string }) {
  return (
    <DataTable<Row>
      rowKey="at"
      columns={columns}
      dataSource={rows}
      pagination={PAGED}
      locale={{ emptyText: <Nothing none={none} /> }}
    />
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Flex vertical gap="small">
      <Typography.Title level={2} style={{ fontSize: 16, margin: 0 }}>
        {title}
      </Typography.Title>
      {children}
    </Flex>
  );
}
