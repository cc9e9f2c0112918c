import { ExclamationCircleFilled, WarningFilled } from '@ant-design/icons';
import { Tag } from 'antd';
import type { Language } from '../../word/catalogue.ts';
import { useWords } from '../../word/language.tsx';
import type { Alarm } from './queries.ts';
import { words } from './words.ts';

export function AlarmSeverity({ severity }: { severity: Alarm['severity'] }) {
  const say = useWords(words);
  const critical = severity === 'critical';
  return (
    <Tag
      color={critical ? 'error' : 'warning'}
      icon={critical ? <WarningFilled /> : <ExclamationCircleFilled />}
    >
      {say(severity)}
    </Tag>
  );
}

/** What it says, in Chinese where that is known. */
export const alarmText = ({ message, messageZh }: Alarm, language: Language): string =>
  language === 'zh' ? (messageZh ?? message) : message;
