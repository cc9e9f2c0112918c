import { Alert, Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

/**
 * In a dialog whose matter somebody else decided while it was open: who was first, with both ways on. What
 * the dialog does is settled when it opens, and is changed by the person alone.
 * @param title who was first, when, and what
 * @param leave lets that stand
 * @param goOn does it knowingly, over what is there now; absent: it is not possible any more
 */
export function Overtaken({
  title,
  children,
  leave,
  goOn,
}: {
  title: string;
  children?: ReactNode;
  leave: () => void;
  goOn?: { word: string; act: () => void } | undefined;
}) {
  const say = useWords(words);
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={title}
      description={
        <Flex vertical gap="small">
          {children}
          <Flex gap="small" wrap>
            <Button type="primary" onClick={leave}>
              {say('leaveIt')}
            </Button>
            {goOn && <Button onClick={goOn.act}>{goOn.word}</Button>}
          </Flex>
        </Flex>
      }
    />
  );
}
