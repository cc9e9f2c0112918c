import { DislikeOutlined, LikeOutlined } from '@ant-design/icons';
import { Alert, Button, Descriptions, Drawer, Flex, Input, Skeleton } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useFilters } from '../../list/filter.ts';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { answerWords } from './answer-words.ts';
import type { Eyes } from './eyes.ts';
import { Feedback } from './feedback.tsx';
import { FileLink } from './file-columns.tsx';
import { eyesFilters } from './filters.ts';
import { Checked } from './marks.tsx';
import { useAnswer } from './queries.ts';

type Answered = NonNullable<ReturnType<typeof useAnswer>['data']>;

/** An old answer, and what became since of what it cites. */
export function AnswerDrawer({ eyes, id, close }: { eyes: Eyes; id: number | undefined; close: () => void }) {
  const say = useWords(answerWords);
  const query = useAnswer(eyes, id);
  const answer = query.data;
  return (
    <Drawer open={id !== undefined} onClose={close} size="large" title={say('question')}>
      <AsOf query={query} />
      {answer ? <AnswerBody eyes={eyes} answer={answer} /> : query.isPending && <Skeleton active />}
    </Drawer>
  );
}

function AnswerBody({ eyes, answer }: { eyes: Eyes; answer: Answered }) {
  const say = useWords(answerWords);
  const { asker, question, createdAt, durationMs, citations, stillValid } = answer;
  return (
    <Flex vertical gap="middle">
      <strong className="wraps">{question}</strong>
      <Flex gap="small" wrap className="quiet">
        <span className="wraps">{asker}</span>
        <Time at={createdAt} />
        {durationMs !== null && <span>{say('took', { seconds: (durationMs / 1000).toFixed(1) })}</span>}
      </Flex>
      {answer.answer === null ? (
        <Alert type="warning" showIcon title={say('refused')} description={answer.refusalReason} />
      ) : (
        <div className="clause-text">{answer.answer}</div>
      )}
      {citations.length === 0 ? (
        <span className="quiet">{say('nothingCited')}</span>
      ) : (
        <Alert
          type={stillValid ? 'success' : 'warning'}
          showIcon
          title={say(stillValid ? 'stillValid' : 'noLonger')}
        />
      )}
      <Citations citations={citations} />
      <Mark key={answer.qaId} eyes={eyes} answer={answer} />
    </Flex>
  );
}

function Citations({ citations }: Pick<Answered, 'citations'>) {
  const say = useWords(answerWords);
  const { filters } = useFilters(eyesFilters);
  return (
    <Descriptions
      bordered
      size="small"
      column={1}
      layout="vertical"
      items={citations.map(({ chunkId, docId, docVersion, clausePath, reason, supersededBy }) => ({
        key: chunkId,
        label: <span className="wraps">{clausePath ?? `#${chunkId}`}</span>,
        children: (
          <Flex gap="small" wrap>
            <Checked reason={reason} good={say('holds')} />
            {docId !== null && <FileLink id={docId} eyes={filters} />}
            {docVersion !== null && <span>{say('citedVersion', { version: docVersion })}</span>}
            {supersededBy !== null && (
              <span>
                {say('replacedBy')} <FileLink id={supersededBy} eyes={filters} />
              </span>
            )}
          </Flex>
        ),
      }))}
    />
  );
}

function Mark({ eyes, answer }: { eyes: Eyes; answer: Answered }) {
  const say = useWords(answerWords);
  const { identity } = useSession();
  const [note, setNote] = useState(answer.feedbackNote ?? '');
  const own = identity.name === answer.asker;
  const mark = useAct({
    act: (feedback: 'useful' | 'wrong') =>
      answerOf(
        api.POST('/api/core/kb/qa_log/{qa_id}/feedback', {
          params: { path: { qa_id: answer.qaId } },
          body: {
            tenant_code: eyes.tenant,
            ...(eyes.subject === undefined ? {} : { subject: answer.asker }),
            feedback,
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        }),
      ),
    changes: [
      ['policy', 'answers'],
      ['policy', 'answer'],
    ],
    done: () => say('marked'),
  });
  return (
    <Flex vertical gap="small">
      <Flex gap="small" align="center" wrap>
        <strong>{own ? say('markOwn') : say('mark', { who: answer.asker })}</strong>
        <Feedback value={answer.feedback} />
      </Flex>
      <Input.TextArea
        rows={2}
        maxLength={2000}
        aria-label={say('note')}
        placeholder={say('note')}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Flex gap="small">
        <Button icon={<LikeOutlined />} disabled={mark.pending} onClick={() => mark.run('useful')}>
          {say('useful')}
        </Button>
        <Button icon={<DislikeOutlined />} disabled={mark.pending} onClick={() => mark.run('wrong')}>
          {say('wrong')}
        </Button>
      </Flex>
    </Flex>
  );
}
