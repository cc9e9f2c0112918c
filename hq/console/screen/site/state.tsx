import { CheckCircleFilled, ClockCircleFilled, DisconnectOutlined } from '@ant-design/icons';
import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { Site } from './queries.ts';
import { words } from './words.ts';

const LOOKS: Record<Site['state'], { color: string; icon: ReactNode }> = {
  current: { color: 'success', icon: <CheckCircleFilled /> },
  late: { color: 'warning', icon: <ClockCircleFilled /> },
  silent: { color: 'error', icon: <DisconnectOutlined /> },
};

/** The state in words and, unless it is live, since when nothing was heard. */
export function SiteState({ site }: { site: Pick<Site, 'instance' | 'state' | 'lastSeenAt'> }) {
  const say = useWords(words);
  const { color, icon } = LOOKS[site.state];
  return (
    <span className="state">
      <Tag color={color} icon={icon}>
        {say(site.state)}
      </Tag>
      {site.state !== 'current' && (
        <span className="quiet">
          {site.lastSeenAt ? <Time at={site.lastSeenAt} site={site.instance} ago /> : say('neverHeard')}
        </span>
      )}
    </span>
  );
}

/** Whether somebody should look at it: what is not as it should be, apart from what waits for its turn. */
export const needsCare = ({ state, report, events, verdicts, work }: Site): boolean =>
  state !== 'current' ||
  [events, verdicts, work].some(({ rejectedTotal, conflictTotal }) => rejectedTotal + conflictTotal > 0) ||
  (report !== null &&
    (!report.storing || report.clockSuspect || report.disk.level !== 'ok' || report.alarms > 0));
