import {
  CheckCircleFilled,
  ClockCircleFilled,
  DisconnectOutlined,
  PauseCircleFilled,
} from '@ant-design/icons';
import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { SiteLine } from './queries.ts';
import { words } from './words.ts';

const LOOKS: Record<SiteLine['state'], { color: string; icon: ReactNode }> = {
  current: { color: 'success', icon: <CheckCircleFilled /> },
  late: { color: 'warning', icon: <ClockCircleFilled /> },
  silent: { color: 'error', icon: <DisconnectOutlined /> },
  away: { color: 'default', icon: <PauseCircleFilled /> },
};

/** The state in words and, unless it is live, since when nothing was heard. @param bare only the word */
export function SiteState({
  site,
  bare = false,
}: {
  site: Pick<SiteLine, 'instance' | 'state' | 'lastSeenAt'>;
  bare?: boolean;
}) {
  const say = useWords(words);
  const { color, icon } = LOOKS[site.state];
  return (
    <span className="state">
      <Tag color={color} icon={icon}>
        {say(site.state)}
      </Tag>
      {!bare && site.state !== 'current' && (
        <span className="quiet">
          {site.lastSeenAt ? <Time at={site.lastSeenAt} site={site.instance} ago /> : say('neverHeard')}
        </span>
      )}
    </span>
  );
}

/** Whether somebody should look at it: what is not as it should be, apart from what waits for its turn. */
export const needsCare = (site: SiteLine): boolean =>
  site.state === 'late' ||
  site.state === 'silent' ||
  // What was refused is settled once nothing is parked any more; an older site does not tell.
  (site.there?.parked ?? site.refused) > 0 ||
  isUnwell(site);

const isUnwell = ({ report }: SiteLine): boolean =>
  report !== null &&
  (!report.storing || report.clockSuspect || report.disk.level !== 'ok' || report.alarms > 0);
