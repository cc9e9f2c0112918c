import { Descriptions, Tag } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { bytes, number } from '../../../word/number.ts';
import { Made } from '../../retention/backup.tsx';
import { ClockText, DiskText } from '../machine.tsx';
import type { SiteDetail } from '../queries.ts';
import { words as siteWords } from '../words.ts';
import { words } from './words.ts';

/** What the site is and how its machine is, as it last told. */
export function Facts({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const sayList = useWords(siteWords);
  const { site, continues } = detail;
  const { report, instance } = site;
  const rows: [string, ReactNode][] = [
    [sayList('instance'), <code className="name">{instance}</code>],
    [say('lastSeen'), site.lastSeenAt ? <Time at={site.lastSeenAt} site={instance} /> : say('never')],
    [say('version'), site.version],
    [say('tenant'), <span className="name">{site.tenants.join(', ')}</span>],
    ...(site.groups.length > 0
      ? [[sayList('groups'), <span className="name">{site.groups.join(', ')}</span>] as [string, ReactNode]]
      : []),
    ...(continues.length > 0
      ? [[say('before'), <span className="name">{continues.join(', ')}</span>] as [string, ReactNode]]
      : []),
    [say('zone'), report ? (report.zone ?? say('notTold')) : null],
    [say('disk'), <Disk detail={detail} />],
    [say('clock'), <ClockText report={report} />],
    [say('shed'), <Shed detail={detail} />],
    [say('life'), lifeOf(report)],
    [say('ends'), <Ends detail={detail} />],
    [say('stalls'), <Stalls detail={detail} />],
    [say('backup'), <LastBackup detail={detail} />],
    [say('alarms'), report && <Bad count={report.alarms} />],
    [say('reported'), report ? <Time at={report.at} site={instance} /> : say('notTold')],
  ];
  const items = rows
    .filter(([, children]) => children !== null)
    .map(([label, children]) => ({ key: label, label, children }));
  return <Descriptions size="small" bordered column={{ xs: 1, sm: 1, md: 2, xl: 3 }} items={items} />;
}

const lifeOf = (report: SiteDetail['site']['report']): string | null =>
  typeof report?.lifeUsedPercent === 'number' ? `${report.lifeUsedPercent} %` : null;

function Bad({ count }: { count: number }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return count === 0 ? say('none') : <Tag color="error">{number(count, language)}</Tag>;
}

function LastBackup({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { report, instance } = detail.site;
  return report?.lastBackup ? <Made backup={report.lastBackup} site={instance} /> : say('noBackup');
}

/** Ends of the program that nobody had asked for. */
function Ends({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { report, instance } = detail.site;
  const ends = report?.unplannedEnds;
  if (!ends) return say('notTold');
  const { count, days, hangs, lastAt } = ends;
  if (count === 0) return say('noEnds', { days });
  return (
    <>
      {say(hangs > 0 ? 'endsHung' : 'endsCount', { count, days, hangs })}
      {lastAt !== null && (
        <>
          {say('lastEnd')} <Time at={lastAt} site={instance} />
        </>
      )}
    </>
  );
}

/** Times in which its program did not run, and went on by itself. */
function Stalls({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { report, instance } = detail.site;
  const stalls = report?.stalls;
  if (!stalls) return say('notTold');
  const { count, longestSeconds, lastAt } = stalls;
  if (count === 0) return say('none');
  return (
    <>
      {say('stallsCount', { count, seconds: longestSeconds })}
      {lastAt !== null && (
        <>
          {say('lastEnd')} <Time at={lastAt} site={instance} />
        </>
      )}
    </>
  );
}

function Disk({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { report } = detail.site;
  if (!report) return say('notTold');
  const { roomBytes, usedBytes, refused, daysLeft } = report.disk;
  const known = roomBytes !== null && usedBytes !== null && report.storing;
  return (
    <>
      {known && say('diskLeft', { left: bytes(roomBytes, language), used: bytes(usedBytes, language) })}{' '}
      {(!known || daysLeft !== null) && <DiskText report={report} />}
      {refused > 0 && (
        <Tag color="error">
          {say('refused')} {number(refused, language)}
        </Tag>
      )}
    </>
  );
}

function Shed({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const shed = detail.site.report?.shed;
  if (!shed) return say('notTold');
  if (shed.events + shed.observations + shed.evidence + shed.lost === 0) return say('none');
  const counts = say('shedCounts', {
    events: number(shed.events, language),
    observations: number(shed.observations, language),
    files: number(shed.evidence, language),
    size: bytes(shed.evidenceBytes, language),
  });
  if (shed.lost === 0) return counts;
  const lost = { files: number(shed.lost, language), size: bytes(shed.lostBytes, language) };
  return `${counts}${say('shedLost', lost)}`;
}
