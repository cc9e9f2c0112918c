import { Typography } from 'antd';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useEyes } from './eyes.ts';
import { FileList } from './files.tsx';
import { LibraryFrame } from './frame.tsx';
import { useFiles } from './queries.ts';
import { ReadingList } from './reading/list.tsx';
import { words } from './words.ts';

/** What waits for a person, and what waits to be read into clauses. */
export function PolicyReview() {
  const say = useWords(words);
  const { can } = useSession();
  const eyes = useEyes();
  const review = useFiles(eyes, { status: 'review' });
  return (
    <LibraryFrame tab="review">
      <Typography.Text type="secondary">{say('reviewUnder')}</Typography.Text>
      <FileList list={review} none={say('reviewNone')} />
      <Typography.Title level={2} style={{ fontSize: 16, margin: 0 }}>
        {say('waiting')}
      </Typography.Title>
      {can('policy.manage') && <ReadingList eyes={eyes} />}
    </LibraryFrame>
  );
}
