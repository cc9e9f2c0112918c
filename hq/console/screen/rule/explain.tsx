import { useQuery } from '@tanstack/react-query';
import { Alert, Flex, Input, Modal, Table, Tag } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { AsOf } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import type { Explanation } from './queries.ts';
import { words } from './words.ts';

/** What would be done about a stored event, and why. */
export function ExplainEvent({ close }: { close: () => void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [id, setId] = useState<number | null>(null);
  const query = useQuery({
    queryKey: ['rules', 'explain', id],
    enabled: id !== null,
    queryFn: () => answerOf(api.POST('/api/agent/rules/explain', { body: { event_id: id ?? 0 } })),
  });
  const found = query.data;
  return (
    <Modal open title={say('explain')} width={760} onCancel={close} footer={null}>
      <Flex vertical gap="middle">
        <Input.Search
          aria-label={say('eventId')}
          placeholder={say('eventId')}
          inputMode="numeric"
          maxLength={15}
          enterButton={say('explain')}
          onSearch={(text) => setId(/^[1-9]\d*$/.test(text.trim()) ? Number(text) : null)}
        />
        <AsOf query={query} />
        {found?.choice.ruleName === null && <Alert type="info" showIcon title={say('byNone')} />}
        {found?.note && <Alert type="info" showIcon title={found.note} />}
        {found && (
          <Table<Explanation['rules'][number]>
            rowKey="name"
            size="small"
            pagination={false}
            dataSource={found.rules}
            scroll={{ x: 'max-content' }}
            columns={[
              { key: 'priority', title: say('priority'), dataIndex: 'priority', align: 'end' },
              {
                key: 'name',
                title: say('name'),
                render: (_, { name, chosen }) => (
                  <>
                    <span className="wraps">{name}</span>{' '}
                    {chosen && <Tag color="success">{say('decided')}</Tag>}
                  </>
                ),
              },
              {
                key: 'reason',
                title: say('state'),
                render: (_, { reason, reasonZh }) => (language === 'zh' ? reasonZh : reason),
              },
            ]}
          />
        )}
      </Flex>
    </Modal>
  );
}
