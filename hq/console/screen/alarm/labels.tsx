import { ExclamationCircleFilled, WarningFilled } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Tag } from 'antd';
import { Time, useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
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

/** Who takes care of it and since when; nothing where nobody does. */
export function TakenBy({ alarm: { takenBy, takenAt, instance } }: { alarm: Alarm }) {
  const say = useWords(words);
  if (takenBy === null || takenAt === null) return null;
  return (
    <span>
      {say('takenBy')} <bdi>{takenBy}</bdi>, <Time at={takenAt} site={instance} />
    </span>
  );
}

/** Where what an alarm tells of is settled; null: nowhere in the console. */
export function leadsTo({ key, tenantCode }: Alarm): { to: string; search: Record<string, string> } | null {
  const [kind] = key.split(':');
  const tenant: Record<string, string> = tenantCode === null ? {} : { tenant: tenantCode };
  return kind === 'escalation_missed' ? { to: '/tasks', search: { overdue: 'yes', ...tenant } } : null;
}

/** The words of an alarm, which lead where it is settled. */
export function AlarmText({ alarm }: { alarm: Alarm }) {
  const place = leadsTo(alarm);
  const text = <bdi>{useAlarmText()(alarm)}</bdi>;
  return place ? <Link {...place}>{text}</Link> : text;
}

/** What an alarm says, in Chinese where that is known, with its times by the clock of whose it is. */
export function useAlarmText(): (alarm: Pick<Alarm, 'message' | 'messageZh' | 'instance'>) => string {
  const { language } = useLanguage();
  const times = useTimeText();
  return ({ message, messageZh, instance }) =>
    times.within(language === 'zh' ? (messageZh ?? message) : message, instance);
}
