import { Flex, Form, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { useAct } from '../../../page/act.ts';
import { useWords } from '../../../word/language.tsx';
import { type NewKey, rotateKey } from './acts.ts';
import { words } from './words.ts';

/** Hours, as the API takes them. */
const OVERLAP = { first: 24, most: 720 } as const;

/** @param show takes the key with its new secret */
export function RotateKey({
  instance,
  keyId,
  close,
  show,
}: {
  instance: string;
  keyId: string;
  close: () => void;
  show: (made: NewKey) => void;
}) {
  const say = useWords(words);
  const [hours, setHours] = useState<number>(OVERLAP.first);
  const act = useAct({
    act: () => rotateKey(instance, keyId, hours),
    changes: [['site', instance, 'registered']],
    then: show,
  });
  return (
    <Modal
      open
      title={say('rotateTitle', { key: keyId })}
      okText={say('rotate')}
      cancelText={say('cancel')}
      confirmLoading={act.pending}
      onOk={() => act.run()}
      onCancel={close}
    >
      <Flex vertical gap="small">
        {say('rotateMeans')}
        <Form layout="vertical">
          <Form.Item label={say('overlap')} htmlFor="overlap">
            <InputNumber
              id="overlap"
              min={0}
              max={OVERLAP.most}
              precision={0}
              value={hours}
              onChange={(value) => setHours(value ?? 0)}
            />
          </Form.Item>
        </Form>
      </Flex>
    </Modal>
  );
}
