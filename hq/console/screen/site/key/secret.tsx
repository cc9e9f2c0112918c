import { Alert, Button, Flex, Modal, Typography } from 'antd';
import { Command } from '../../../page/command.tsx';
import { useWords } from '../../../word/language.tsx';
import type { NewKey } from './acts.ts';
import { quoted } from './quoted.ts';
import { words } from './words.ts';

/** A new key, this once, with what is typed at the site. It closes only by its button. */
export function SecretOnce({ made, close }: { made: NewKey; close: () => void }) {
  const say = useWords(words);
  const { instance, keyId, secret } = made;
  return (
    <Modal
      open
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      title={say('secretTitle', { site: instance })}
      width={680}
      footer={
        <Button type="primary" onClick={close}>
          {say('close')}
        </Button>
      }
    >
      <Flex vertical gap="small">
        <Alert type="warning" showIcon title={say('once')} />
        <Typography.Text strong>{say('atSite')}</Typography.Text>
        <Command text={`sudo fieldline-site setup --instance ${quoted(instance)} --url ${location.origin}`} />
        <Typography.Text strong>{say('asks')}</Typography.Text>
        <Command text={`${keyId}:${secret}`} />
        <Typography.Text type="secondary">{say('address')}</Typography.Text>
      </Flex>
    </Modal>
  );
}
