import { Alert, Button, Flex, Modal, Typography } from 'antd';
import { Command } from '../../../page/command.tsx';
import { Time } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import type { JoiningCode } from './acts.ts';
import { words } from './words.ts';

/** A joining code, this once, with how long it holds and what is typed at the site. */
export function CodeOnce({ made, close }: { made: JoiningCode; close: () => void }) {
  const say = useWords(words);
  const { instance, code, expiresAt } = made;
  return (
    <Modal
      open
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      title={say('codeTitle', { site: instance })}
      width={680}
      footer={
        <Button type="primary" onClick={close}>
          {say('codeClose')}
        </Button>
      }
    >
      <Flex vertical gap="small">
        <Alert type="warning" showIcon title={say('codeOnce')} />
        <Typography.Text className="joining-code" copyable={{ text: code }}>
          {code}
        </Typography.Text>
        <span>
          {say('codeUntil')} <Time at={expiresAt} />
        </span>
        <Typography.Text strong>{say('atSite')}</Typography.Text>
        <Command text={`sudo fieldline-site setup --url ${location.origin} --code ${code}`} />
        <Typography.Text type="secondary">{say('codeFetches')}</Typography.Text>
        <Typography.Text type="secondary">{say('address')}</Typography.Text>
      </Flex>
    </Modal>
  );
}
