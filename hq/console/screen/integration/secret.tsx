import { Alert, Descriptions, Flex, Modal, Typography } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** What is shown once: by a label each, to be copied. */
export interface Shown {
  title: string;
  lines: readonly { label: string; value: string }[];
  hint?: ReactNode;
}

/** A secret that cannot be seen again; it closes by its button only, never by a click beside it. */
export function SecretShown({ shown, close }: { shown: Shown | null; close: () => void }) {
  const say = useWords(words);
  return (
    <Modal
      open={shown !== null}
      title={shown?.title}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      okText={say('secretKept')}
      onOk={close}
      cancelButtonProps={{ style: { display: 'none' } }}
      destroyOnHidden
    >
      <Flex vertical gap="middle">
        <Alert type="warning" showIcon title={say('keepSecret')} />
        <Descriptions
          column={1}
          bordered
          size="small"
          layout="vertical"
          items={(shown?.lines ?? []).map(({ label, value }) => ({
            key: label,
            label,
            children: (
              <Typography.Text copyable={{ text: value }} code className="breaks">
                {value}
              </Typography.Text>
            ),
          }))}
        />
        {shown?.hint}
      </Flex>
    </Modal>
  );
}
