import { CheckCircleFilled, StopOutlined } from '@ant-design/icons';
import { Tag } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** Of a webhook or a client, in words. */
export function EnabledTag({ status }: { status: 'enabled' | 'disabled' }) {
  const say = useWords(words);
  return status === 'enabled' ? (
    <Tag color="success" icon={<CheckCircleFilled />}>
      {say('enabled')}
    </Tag>
  ) : (
    <Tag icon={<StopOutlined />}>{say('disabled')}</Tag>
  );
}
