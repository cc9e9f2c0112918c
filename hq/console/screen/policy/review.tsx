import { Typography } from 'antd';
import { MoreRows } from '../../list/growing-rows.tsx';
import { AsOf } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useEyes } from './eyes.ts';
import { FileTable } from './files.tsx';
import { LibraryFrame } from './frame.tsx';
import { useFiles, usePending } from './queries.ts';
import { words } from './words.ts';

/** What waits for a person, and what waits to be read into clauses. */
export function PolicyReview() {
  const say = useWords(words);
  const { can } = useSession();
  const eyes = useEyes();
  const review = useFiles(eyes, { status: 'review' });
  const pending = usePending(eyes, can('policy.manage'));
  return (
    <LibraryFrame tab="review">
      <Typography.Text type="secondary">{say('reviewUnder')}</Typography.Text>
      <AsOf query={review.query} />
      <FileTable files={review.rows} query={review.query} none={say('reviewNone')} />
      <MoreRows list={review} />
      <Typography.Title level={2} style={{ fontSize: 16, margin: 0 }}>
        {say('waiting')}
      </Typography.Title>
      <AsOf query={pending} />
      <FileTable files={pending.data ?? []} query={pending} none={say('waitingNone')} />
    </LibraryFrame>
  );
}
