import { calledOf } from '../../common/core/instance/record.ts';
import type { LastBackup, UnplannedEndsView } from '../../common/core/run/schema.ts';
import { type Language, sayer, wordFor } from '../../common/message.ts';
import { localTimeWithZone } from '../../common/terminal/local-time.ts';
import { timesShown } from '../../common/time.ts';
import { healthMessages } from './health-messages.ts';

export interface Finding {
  name: string;
  level: 'well' | 'look' | 'bad';
  /** What was found, and for anything not well what to do. */
  text: string;
}

export interface SiteAnswer {
  instance: string;
  displayName: string | null;
  state: 'current' | 'late' | 'silent' | 'away';
  silentAfterMinutes: number;
  lastSeenAt: string | null;
  version: string | null;
  report: { state: string; storing: boolean; alarms: number } | null;
  events: { receivedTotal: number };
  decisions: { waiting: number; refused: number };
  flows: FlowAnswer[];
}

/** What waits at a site or here; see GET /api/core/uplink/status. */
export interface FlowAnswer {
  name: string;
  at: 'site' | 'hq';
  waiting: number;
  bytes: number | null;
  oldestAt: string | null;
  failed: number;
  lastError: string | null;
  lastErrorZh: string | null;
}

export interface AlarmAnswer {
  key: string;
  instance: string;
  severity: 'warning' | 'critical';
  message: string;
  messageZh: string | null;
}

/** What the running hub says of itself. */
export interface Answers {
  version: string;
  instance: string;
  storing: boolean;
  /** null: they could not be read. */
  sites: SiteAnswer[] | null;
  /** The worst of them. */
  alarms: AlarmAnswer[];
  /** All that stand. */
  alarmCounts: { total: number; critical: number };
  unplannedEnds: UnplannedEndsView;
  lastBackup: LastBackup | null;
}

interface Form {
  language: Language;
  time: (rfc3339: string) => string;
}

/** A site by the name that people gave it, with that by which commands know it. */
export const called = ({ instance, displayName }: Pick<SiteAnswer, 'instance' | 'displayName'>): string =>
  calledOf(instance, displayName);

/** What a person should know of it. Pure. */
export function findingsOf(
  { version, storing, sites, alarms, alarmCounts }: Answers,
  { language, time }: Form,
): Finding[] {
  const w = sayer(healthMessages, language);
  const names = new Map(sites?.map((site) => [site.instance, called(site)]));
  return [
    { name: 'service', level: 'well', text: w('runs', { version }) },
    storing
      ? { name: 'database', level: 'well', text: w('storing') }
      : { name: 'database', level: 'bad', text: w('notStoring') },
    ...(sites === null
      ? [{ name: 'sites', level: 'bad', text: w('sitesUnread') } as const]
      : heardOf(sites, { language, time })),
    ...alarms.map((one): Finding => ({
      name: 'alarm',
      level: one.severity === 'critical' ? 'bad' : 'look',
      text: w('alarm', {
        instance: names.get(one.instance) ?? one.instance,
        key: one.key,
        message: timesShown((language === 'zh' ? one.messageZh : null) ?? one.message, localTimeWithZone),
      }),
    })),
    ...moreAlarms(alarms, alarmCounts, language),
  ];
}

function heardOf(sites: readonly SiteAnswer[], { language, time }: Form): Finding[] {
  const w = sayer(healthMessages, language);
  const away = sites.filter(({ state }) => state === 'away');
  const late = sites.filter(({ state }) => state === 'late' || state === 'silent');
  const heard = sites.length - away.length - late.length;
  const well = (text: string): Finding => ({ name: 'sites', level: 'well', text });
  return [
    ...(sites.length === 0 ? [well(w('noSites'))] : []),
    ...(heard > 0 && late.length === 0
      ? [well(heard === 1 ? w('oneHeard') : w('allHeard', { count: heard }))]
      : []),
    ...away.map((site) => well(w('away', { site: called(site), instance: site.instance }))),
    ...late.map(({ state, lastSeenAt, ...site }): Finding => ({
      name: 'sites',
      level: 'look',
      text: w('notHeard', {
        site: called(site),
        state: w(`siteStates_${state}`),
        last: lastSeenAt === null ? w('neverHeard') : w('lastHeard', { at: time(lastSeenAt) }),
      }),
    })),
    ...sites.flatMap((site) => ofSite(site, language)),
  ];
}

/** What a site says of itself, and what of it headquarters does not take: neither has to be an alarm. */
function ofSite({ report, flows, ...site }: SiteAnswer, language: Language): Finding[] {
  const w = sayer(healthMessages, language);
  const said: Finding[] = [];
  if (report !== null && (report.state !== 'well' || !report.storing)) {
    const level = report.state === 'bad' || !report.storing ? 'bad' : 'look';
    said.push({ name: 'sites', level, text: w(`notWell_${level}`, { site: called(site) }) });
  }
  for (const { name, at, failed } of flows)
    // What failed here is a count since ever, and had its alarm.
    if (at === 'site' && failed > 0)
      said.push({
        name: 'sites',
        level: 'look',
        text: w('parked', {
          site: called(site),
          what: wordFor(healthMessages, 'flows', name, language),
          count: failed,
        }),
      });
  return said;
}

/** More stand than were read, of which the worst come first. */
function moreAlarms(
  alarms: Answers['alarms'],
  { total, critical }: Answers['alarmCounts'],
  language: Language,
): Finding[] {
  const more = total - alarms.length;
  if (more <= 0) return [];
  const shown = alarms.filter((one) => one.severity === 'critical').length;
  const level = critical > shown ? 'bad' : 'look';
  return [{ name: 'alarm', level, text: sayer(healthMessages, language)('moreAlarms', { count: more }) }];
}
