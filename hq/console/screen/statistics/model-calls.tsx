import { useQuery } from '@tanstack/react-query';
import { Flex, type TableColumnsType, Tag, Typography } from 'antd';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { DataTable } from '../../list/data-table.tsx';
import { AsOf } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { words } from './words.ts';

type Calls = Answer<'/api/core/model-calls', 'get'>['items'][number];

const DAYS = 7;
/** From this part of the bound on the hub raises its alarm. */
const NEARLY = 0.8;

/** How often were models called for the tenant in the last days? Nothing where none was. */
export function ModelCalls({ tenant }: { tenant: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const query = useQuery({
    queryKey: ['model-calls', tenant],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/api/core/model-calls', { params: { query: { tenant_code: tenant, days: DAYS } } }),
        )
      ).items,
  });
  const columns: TableColumnsType<Calls> = [
    { key: 'day', title: say('day'), dataIndex: 'day' },
    { key: 'model', title: say('modelFor'), render: (_, { kind }) => say(kind) },
    {
      key: 'calls',
      title: say('calls'),
      render: (_, { calls, most }) => (
        <Flex gap="small" align="center">
          {say('callsOf', { calls: number(calls, language), most: number(most, language) })}
          {calls >= most ? (
            <Tag color="error">{say('callsSpent')}</Tag>
          ) : (
            calls >= most * NEARLY && <Tag color="warning">{say('callsNear')}</Tag>
          )}
        </Flex>
      ),
    },
    {
      key: 'tokens',
      title: say('tokens'),
      render: (_, { tokens }) => (tokens === 0 ? say('tokensUnsaid') : number(tokens, language)),
    },
  ];
  if (query.data?.length === 0) return null;
  return (
    <Flex vertical gap="small">
      <Typography.Title level={5}>{say('modelCalls')}</Typography.Title>
      <AsOf query={query} />
      <DataTable<Calls>
        rowKey={({ day, kind }) => `${day} ${kind}`}
        columns={columns}
        query={query}
        dataSource={query.data ?? []}
      />
    </Flex>
  );
}
