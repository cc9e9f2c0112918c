import { CheckCircleFilled, CloseCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { Alert, Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../../word/language.tsx';
import type { Part } from './follow-up.ts';
import { sendWords } from './send-words.ts';

const ICON: Record<Part['state'], ReactNode> = {
  sending: <LoadingOutlined />,
  done: <CheckCircleFilled className="good" />,
  failed: <CloseCircleFilled className="bad" />,
};

/** What was recorded, and how each thing fares that goes with it. @param again tries what failed */
export function Parts({
  parts,
  pending,
  again,
  leave,
}: {
  parts: readonly Part[];
  pending: boolean;
  again: () => void;
  leave: () => void;
}) {
  const say = useWords(sendWords);
  const failed = parts.some(({ state }) => state === 'failed');
  return (
    <Flex vertical gap="middle" role="status">
      <Flex gap="small">
        {ICON.done} {say('recorded')}
      </Flex>
      {parts.map(({ key, text, state, said }) => (
        <Flex key={key} gap="small" align="start">
          {ICON[state]}
          <span className="wrap">
            <bdi>{text}</bdi> <span className="quiet">{state === 'sending' ? say('sending') : said}</span>
          </span>
        </Flex>
      ))}
      {failed && !pending && (
        <>
          <Alert type="error" showIcon title={say('notDone')} />
          <Flex gap="small" wrap justify="end">
            <Button onClick={leave}>{say('leave')}</Button>
            <Button type="primary" onClick={again}>
              {say('again')}
            </Button>
          </Flex>
        </>
      )}
    </Flex>
  );
}
