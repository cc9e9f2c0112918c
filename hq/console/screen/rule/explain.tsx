import { useQuery } from '@tanstack/react-query';
import { Flex, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { AsOf } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import { Explained } from '../event/why.tsx';
import { words } from './words.ts';

/** What would be done about a stored event, and why. */
export function ExplainEvent({ close }: { close: () => void }) {
  const say = useWords(words);
  const [id, setId] = useState<number | null>(null);
  const [wrong, setWrong] = useState(false);
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
          status={wrong ? 'error' : ''}
          enterButton={say('explain')}
          onSearch={(text) => {
            const number = /^[1-9]\d*$/.test(text.trim()) ? Number(text) : null;
            setId(number);
            setWrong(number === null);
          }}
        />
        {wrong && <span className="fault-text">{say('notNumber')}</span>}
        <AsOf query={query} />
        {found && <Explained explanation={found} />}
      </Flex>
    </Modal>
  );
}
