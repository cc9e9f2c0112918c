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
