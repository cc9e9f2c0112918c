import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled, SyncOutlined } from '@ant-design/icons';
import { Button, Flex, Popconfirm, Progress, Tag } from 'antd';
import { answerOf, api } from '../../../api/client.ts';
import { useAct } from '../../../page/act.ts';
import { useLanguage, useWords } from '../../../word/language.tsx';
import type { Reading } from '../queries.ts';
import { words } from './words.ts';

const STATES = {
  waiting: { color: 'default', icon: <ClockCircleOutlined /> },
  reading: { color: 'processing', icon: <SyncOutlined spin /> },
  read: { color: 'success', icon: <CheckCircleFilled /> },
  failed: { color: 'error', icon: <CloseCircleFilled /> },
} as const;

/** How far the reading of a file is. */
export function ReadingState({ reading }: { reading: Reading }) {
  const say = useWords(words);
  const { readingState, readingStage: stage, atPage: page, ofPages: pages, attempts } = reading;
  const far = readingState === 'reading' && stage !== null && page !== null && pages !== null;
  return (
    <Flex vertical gap={4} align="start">
      <Tag {...STATES[readingState]}>{say(readingState)}</Tag>
      {attempts > 1 && <span className="quiet">{say('attempts', { count: attempts })}</span>}
      {far && (
        <>
          <span className="quiet">{say(stage, { page, pages })}</span>
          <Progress
            percent={Math.round((100 * (page - 1)) / Math.max(pages, 1))}
            size="small"
            style={{ width: 160 }}
            aria-label={say(stage, { page, pages })}
          />
        </>
      )}
    </Flex>
  );
}

/** What a reviewer must know of a reading, in the language at hand. */
export function ReadingNotes({ notes }: Pick<Reading, 'notes'>) {
  const { language } = useLanguage();
  return (
    <Flex vertical gap={4}>
      {notes.map(({ message, messageZh }) => (
        <span key={message} className="wraps">
          {language === 'zh' ? messageZh : message}
        </span>
      ))}
    </Flex>
  );
}

/** Has a file read once more. @param replaces it has clauses, whose place is taken */
export function ReadAgain({ tenant, docId, replaces }: { tenant: string; docId: number; replaces: boolean }) {
  const say = useWords(words);
  const again = useAct({
    act: () =>
      answerOf(
        api.POST('/api/core/kb/docs/{doc_id}/read', {
          params: { path: { doc_id: docId } },
          body: { tenant_code: tenant },
        }),
      ),
    changes: [['policy']],
    done: () => say('asked'),
  });
  const run = (): void => again.run(undefined);
  const button = (
    <Button loading={again.pending} {...(replaces ? {} : { size: 'small' as const, onClick: run })}>
      {say('again')}
    </Button>
  );
  return replaces ? (
    <Popconfirm title={say('sure')} okText={say('again')} onConfirm={run}>
      {button}
    </Popconfirm>
  ) : (
    button
  );
}
