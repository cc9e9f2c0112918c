import { Link } from '@tanstack/react-router';
import { Flex, type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { ClockText, DiskText } from './machine.tsx';
import type { SiteLine } from './queries.ts';
import { SiteState } from './state.tsx';
import { words } from './words.ts';

const parkedOf = (site: SiteLine): number => site.there?.parked ?? -1;

/** For phones: a site and its state, and what of it needs somebody. */
export function useNarrowColumns(): TableColumnsType<SiteLine> {
  const say = useWords(words);
  return useMemo(
    () => [
      { key: 'instance', title: say('site'), render: (_, site) => <Name site={site} /> },
      {
        key: 'state',
        title: say('state'),
        render: (_, site) => (
          <Flex vertical gap={4} align="start">
            <SiteState site={site} />
            <DiskText report={site.report} />
            {parkedOf(site) > 0 && (
              <span>
                {say('parked')} <Parked site={site} />
              </span>
            )}
          </Flex>
        ),
        sorter: true,
      },
    ],
    [say],
  );
}

export function useColumns(): TableColumnsType<SiteLine> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'state',
        title: say('state'),
        render: (_, site) => <SiteState site={site} bare />,
        sorter: true,
      },
      {
        key: 'name',
        title: say('site'),
        width: 180,
        render: (_, site) => <Name site={site} />,
        sorter: true,
      },
      {
        key: 'seen',
        title: say('lastHeard'),
        render: (_, { instance, lastSeenAt }) =>
          lastSeenAt === null ? (
            <span className="quiet">{say('neverHeard')}</span>
          ) : (
            <Time at={lastSeenAt} site={instance} ago />
          ),
        sorter: true,
      },
      {
        key: 'oldest',
        title: say('oldest'),
        render: (_, site) => <Oldest site={site} />,
        sorter: true,
      },
      {
        key: 'waiting',
        title: say('waiting'),
        render: (_, site) => <Waiting site={site} />,
      },
      {
        key: 'parked',
        title: say('parked'),
        align: 'end',
        render: (_, site) => <Parked site={site} />,
        sorter: true,
      },
      {
        key: 'shed',
        title: say('shed'),
        align: 'end',
        render: (_, site) => <Count value={site.shed} />,
        sorter: true,
      },
      {
        key: 'room',
        title: say('disk'),
        align: 'end',
        render: (_, { report }) => <DiskText report={report} />,
        sorter: true,
      },
      { key: 'clock', title: say('clock'), render: (_, { report }) => <ClockText report={report} /> },
      {
        key: 'alarms',
        title: say('alarms'),
        align: 'end',
        render: (_, { report }) => <Count value={report?.alarms ?? 0} bad />,
        sorter: true,
      },
      { key: 'version', title: say('version'), dataIndex: 'version' },
    ],
    [say],
  );
}

function Name({ site: { instance, displayName, tenants, groups } }: { site: SiteLine }) {
  return (
    <div className="two-lines">
      <Link to="/sites/$instance" params={{ instance }} className="name">
        {displayName ?? instance}
      </Link>
      <span className="quiet name">
        {[displayName !== null && instance, tenants.join(', '), groups.join(', ')]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}

function Count({ value, bad = false }: { value: number; bad?: boolean }) {
  const { language } = useLanguage();
  if (value === 0) return <span className="quiet">0</span>;
  const text = number(value, language);
  return bad ? <Tag color="error">{text}</Tag> : <span className="number">{text}</span>;
}

function Oldest({ site }: { site: SiteLine }) {
  const say = useWords(words);
  const { there } = site;
  if (!there) return <span className="quiet">{say('notTold')}</span>;
  return there.oldestAt === null ? null : <Time at={there.oldestAt} site={site.instance} ago />;
}

function Parked({ site }: { site: SiteLine }) {
  const say = useWords(words);
  const { there } = site;
  return there ? <Count value={there.parked} bad /> : <span className="quiet">{say('notTold')}</span>;
}

/** What is on its way between the site and here, in words. */
function Waiting({ site }: { site: SiteLine }) {
  const say = useWords(words);
  const { toSite: down, filesWanted: files } = site;
  const there = site.there?.waiting ?? 0;
  const parts = [
    there > 0 && say('toHeadquarters', { count: there }),
    down > 0 && say('toSite', { count: down }),
    files > 0 && say('files', { count: files }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? (
    <span className="quiet">0</span>
  ) : (
    <div className="two-lines">
      {parts.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </div>
  );
}
