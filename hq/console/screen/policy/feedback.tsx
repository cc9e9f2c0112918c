import { DislikeFilled, LikeFilled } from '@ant-design/icons';
import { Tag } from 'antd';
import { useWords } from '../../word/language.tsx';
import { answerWords } from './answer-words.ts';
import type { QaAnswer } from './queries.ts';

/** What the asker thought of an answer. */
export function Feedback({ value }: { value: QaAnswer['feedback'] }) {
  const say = useWords(answerWords);
  if (value === null) return <span className="quiet">{say('noFeedback')}</span>;
  return value === 'useful' ? (
    <Tag color="success" icon={<LikeFilled />}>
      {say('useful')}
    </Tag>
  ) : (
    <Tag color="error" icon={<DislikeFilled />}>
      {say('wrong')}
    </Tag>
  );
}
