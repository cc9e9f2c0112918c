import { Tag, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes, number } from '../../word/number.ts';
import type { Site } from './queries.ts';
import { SiteState } from './state.tsx';
import { words } from './words.ts';

const ORDER: Record<Site['state'], number> = { silent: 0, late: 1, current: 2 };
const timeOf = (at: string | null): number => (at === null ? 0 : Date.parse(at));
const refusedOf = ({ events, verdicts, work }: Site): number =>
  [events, verdicts, work].reduce((sum, one) => sum + one.rejectedTotal + one.conflictTotal, 0);
const shedOf = ({ report }: Site): number =>
  report ? report.shed.events + report.shed.observations + report.shed.evidence : 0;

export function useColumns(): TableColumnsType<Site> {
  const say = useWords(words);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        key: 'state',
        title: say('state'),
        render: (_, site) => <SiteState site={site} />,
        sorter: (a, b) => ORDER[a.state] - ORDER[b.state] || timeOf(a.lastSeenAt) - timeOf(b.lastSeenAt),
        defaultSortOrder: 'ascend',
      },
      {
        key: 'instance',
        title: say('site'),
        render: (_, { instance }) => <strong className="name">{instance}</strong>,
        sorter: (a, b) => a.instance.localeCompare(b.instance),
      },
      { key: 'tenants', title: say('tenant'), render: (_, { tenants }) => tenants.join(', ') },
      {
        key: 'waiting',
        title: say('waiting'),
        render: (_, site) => <Waiting site={site} />,
      },
      {
        key: 'refused',
        title: say('refused'),
        align: 'end',
        render: (_, site) => <Count value={refusedOf(site)} bad />,
        sorter: (a, b) => refusedOf(a) - refusedOf(b),
      },
      {
        key: 'shed',
        title: say('shed'),
        align: 'end',
        render: (_, site) => <Count value={shedOf(site)} />,
        sorter: (a, b) => shedOf(a) - shedOf(b),
      },
      {
        key: 'disk',
        title: say('disk'),
        align: 'end',
        render: (_, { report }) => {
          if (!report) return null;
          if (!report.storing) return <Tag color="error">{say('notStoring')}</Tag>;
          const room = report.disk.roomBytes;
          return <span className="number">{room === null ? '' : bytes(room, language)}</span>;
        },
        sorter: (a, b) => (a.report?.disk.roomBytes ?? 0) - (b.report?.disk.roomBytes ?? 0),
      },
      {
        key: 'clock',
        title: say('clock'),
        render: (_, { report }) =>
          report &&
          (report.clockSuspect ? <Tag color="warning">{say('clockSuspect')}</Tag> : say('clockGood')),
      },
      {
        key: 'alarms',
        title: say('alarms'),
        align: 'end',
        render: (_, { report }) => <Count value={report?.alarms ?? 0} bad />,
        sorter: (a, b) => (a.report?.alarms ?? 0) - (b.report?.alarms ?? 0),
      },
      { key: 'version', title: say('version'), dataIndex: 'version' },
      {
        key: 'seen',
        title: say('lastSeen'),
        render: (_, { lastSeenAt, instance }) =>
          lastSeenAt === null ? say('neverHeard') : <Time at={lastSeenAt} site={instance} />,
        sorter: (a, b) => timeOf(a.lastSeenAt) - timeOf(b.lastSeenAt),
      },
    ],
    [say, language],
  );
}

function Count({ value, bad = false }: { value: number; bad?: boolean }) {
  const { language } = useLanguage();
  if (value === 0) return <span className="quiet">0</span>;
  const text = number(value, language);
  return bad ? <Tag color="error">{text}</Tag> : <span className="number">{text}</span>;
}

/** What is on its way between the site and here, in words. */
function Waiting({ site: { decisions, evidence, notifications } }: { site: Site }) {
  const say = useWords(words);
  const parts = [
    decisions.waiting > 0 && say('toSite', { count: decisions.waiting }),
    evidence.backlog > 0 && say('files', { count: evidence.backlog }),
    notifications.backlog > 0 && say('notifications', { count: notifications.backlog }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? <span className="quiet">0</span> : parts.join(' · ');
}
