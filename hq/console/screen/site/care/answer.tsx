import { Button, Modal, Typography } from 'antd';
import { AsOf } from '../../../page/fault.tsx';
import { useWords } from '../../../word/language.tsx';
import { fileAddress, type Line, useAnswer } from './queries.ts';
import { words } from './words.ts';

/** What a site answered: the text as its command said it, or the picture. */
export function AnswerDialog({ line, close }: { line: Line; close: () => void }) {
  const say = useWords(words);
  const query = useAnswer(line);
  const shown = line.file?.whole && line.file.contentType.startsWith('image/');
  return (
    <Modal
      open
      width={960}
      title={line.device === null ? say(line.what) : `${say(line.what)} · ${line.device}`}
      footer={<Button onClick={close}>{say('close')}</Button>}
      onCancel={close}
    >
      <AsOf query={query} />
      {shown && (
        <img
          src={fileAddress(line)}
          alt={`${say('picture')} ${line.device ?? ''}`}
          style={{ maxWidth: '100%' }}
        />
      )}
      {query.data?.text && <pre className="raw">{query.data.text}</pre>}
      {query.data && !query.data.text && !shown && (
        <Typography.Text type="secondary">{say('empty')}</Typography.Text>
      )}
    </Modal>
  );
}
