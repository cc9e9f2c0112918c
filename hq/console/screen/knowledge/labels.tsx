import { RobotOutlined } from '@ant-design/icons';
import { Tag } from 'antd';
import { Time, useNow } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { KnowledgeMeta } from './queries.ts';
import { words } from './words.ts';

export function MachineMark({ made }: { made: boolean }) {
  const say = useWords(words);
  return (
    made && (
      <Tag color="processing" icon={<RobotOutlined />}>
        {say('machine')}
      </Tag>
    )
  );
}

export function ValidUntil({ at }: { at: KnowledgeMeta['validUntil'] }) {
  const say = useWords(words);
  const now = useNow();
  if (at === null) return null;
  return (
    <>
      <Time at={at} /> {Date.parse(at) < now && <Tag color="warning">{say('expired')}</Tag>}
    </>
  );
}
