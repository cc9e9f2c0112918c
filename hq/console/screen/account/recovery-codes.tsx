import { Button, Modal, Typography } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** The codes, this once. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const say = useWords(words);
  return (
    <Modal
      open
      title={say('codesTitle')}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={close}>
          {say('codesKept')}
        </Button>
      }
    >
      <p>{say('codesMeans')}</p>
      <Typography.Paragraph
        code
        copyable={{ text: codes.join('\n'), tooltips: [say('copy'), say('copy')] }}
        className="recovery-codes"
      >
        {codes.join('\n')}
      </Typography.Paragraph>
    </Modal>
  );
}
