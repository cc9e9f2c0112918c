// `status` and `check`: how headquarters and its sites go, as the running hub tells.
import type { UnplannedEndsView } from '../../common/core/run/schema.ts';
import { refusedWrite } from '../../common/disk-space.ts';
import { sayer, wordFor } from '../../common/message.ts';
import { ApiError, NoAnswer, NotRunning } from '../../common/terminal/api.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { columns, displayWidth, renderTable } from '../../common/terminal/table.ts';
import type { HubContext } from './context.ts';
import { type Answers, called, type Finding, findingsOf, type SiteAnswer } from './findings.ts';
import { flowRows } from './flows.ts';
import { type HealthMessages, healthMessages } from './health-messages.ts';

type Context = Pick<HubContext, 'api' | 'config' | 'terminal' | 'language' | 'time'>;

/** Alarms that are named; of more the screen says how many. */
const MOST_ALARMS = 500;

/** What the hub answers, or why it does not. @throws ApiError for what it refuses */
async function ask({ api }: Pick<Context, 'api'>): Promise<Answers | NotRunning | ApiError> {
  try {
    const [{ version, instance }, sites, alarms, alarmCounts, unplannedEnds, { backup }, storing] =
      await Promise.all([
        api.call<{ version: string; instance: string }>('GET', '/api/core/version'),
        readSites({ api }),
        api.call<{ items: Answers['alarms'] }>('GET', `/api/core/alarms?order=worst&limit=${MOST_ALARMS}`),
        api.call<Answers['alarmCounts']>('GET', '/api/core/alarms/count'),
        api.call<Answers['unplannedEnds']>('GET', '/api/core/unplanned-ends'),
        api.call<{ backup: Answers['lastBackup'] }>('GET', '/api/core/last-backup'),
        takesWrites({ api }),
      ]);
    const standing = { alarms: alarms.items, alarmCounts };
    return { version, instance, sites, ...standing, unplannedEnds, lastBackup: backup, storing };
  } catch (error) {
    if (error instanceof NotRunning || (error instanceof ApiError && error.status >= 500)) return error;
    throw error;
  }
}

/** What is wrong where the hub tells nothing of itself. */
function unanswered(
  why: NotRunning | ApiError,
  w: HealthMessages,
): Finding & { head: 'bad' | 'hung' | 'notRunning' } {
  if (why instanceof ApiError) return { name: 'database', level: 'bad', text: w('notStoring'), head: 'bad' };
  const head = why instanceof NoAnswer ? 'hung' : 'notRunning';
  return { name: 'service', level: 'bad', text: why.message, head };
}

/** The disk of the hub's own folder. */
function refusing({ config: { dataDir: dir } }: Pick<Context, 'config'>, w: HealthMessages): Finding[] {
  const code = refusedWrite(dir);
  return code === null ? [] : [{ name: 'disk', level: 'bad', text: w('diskRefuses', { dir, code }) }];
}

/** What else is known is shown also where this fails. */
async function readSites({ api }: Pick<Context, 'api'>): Promise<SiteAnswer[] | null> {
  try {
    return (await api.call<{ sites: SiteAnswer[] }>('GET', '/api/core/uplink/status')).sites;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 500) return null;
    throw error;
  }
}

async function takesWrites({ api }: Pick<Context, 'api'>): Promise<boolean> {
  try {
    await api.call('GET', '/readyz');
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** The worst of what was found, as an exit code. */
const exitOf = (findings: readonly Finding[]): number =>
  Math.max(EXIT.well, ...findings.map(({ level }) => EXIT[level]));

/** `status`: the hub, its database and its sites on one screen. */
export async function showStatus({ json }: { json: boolean }, context: Context): Promise<number> {
  const { terminal, language, time } = context;
  const w = sayer(healthMessages, language);
  const answers = await ask(context);
  const refused = refusing(context, w);
  if (answers instanceof Error) {
    const { head, text } = unanswered(answers, w);
    const running = answers instanceof ApiError;
    terminal.out(
      json
        ? `${JSON.stringify({ running, exit: EXIT.bad, error: answers.message })}\n`
        : `● ${[w(head), '', ...textsOf(refused), text].join('\n')}\n`,
    );
    return EXIT.bad;
  }
  const findings = [...findingsOf(answers, { language, time }), ...refused];
  const exit = exitOf(findings);
  if (json) {
    terminal.out(`${JSON.stringify({ running: true, exit, ...answers })}\n`);
    return exit;
  }
  const { version, instance, sites, alarmCounts, unplannedEnds: ends, lastBackup, storing } = answers;
  const waits = flowRows(sites ?? [], { language, time });
  const parts = [
    `● ${[w('well'), w('look'), w('bad')][exit]}`,
    '',
    w('hub', { instance, version }),
    storing ? w('storing') : w('notStoring'),
    ...textsOf(refused),
    alarmCounts.total === 0
      ? w('noAlarms')
      : w('alarms', { count: alarmCounts.total, critical: alarmCounts.critical }),
    lastBackup === null ? w('noBackup') : w('backup', { at: time(lastBackup.at) }),
    ...(ends.lastAt === null ? [] : [endsLine(ends, time(ends.lastAt), w)]),
    ...stallsLine(ends, time, w),
    '',
    sitesTable(sites, { language, time }),
    '',
    ...(waits.length === 0 ? [] : [renderTable(columns(w('flowHead')), waits)]),
  ];
  terminal.out(parts.join('\n'));
  return exit;
}

const textsOf = (findings: readonly Finding[]): string[] => findings.map(({ text }) => text);

function endsLine(
  { count, days, hangs, lastKind }: UnplannedEndsView,
  at: string,
  w: HealthMessages,
): string {
  return w('ends', {
    count,
    days,
    at,
    hangs: hangs > 0 ? w('ends_hangs', { count: hangs }) : '',
    kind: lastKind ? w('ends_kind', { kind: w(`endKinds_${lastKind}`) }) : '',
  });
}

function sitesTable(
  sites: readonly SiteAnswer[] | null,
  { language, time }: Pick<Context, 'language' | 'time'>,
): string {
  const w = sayer(healthMessages, language);
  if (sites === null) return w('sitesUnread');
  if (sites.length === 0) return w('noSites');
  const rows = sites.map((site) => [
    called(site),
    w(`siteStates_${site.state}`),
    site.lastSeenAt === null ? w('never') : time(site.lastSeenAt),
    site.version ?? '-',
    String(site.events.receivedTotal),
    String(site.decisions.waiting),
    String(site.report?.alarms ?? '-'),
  ]);
  return renderTable(columns(w('siteHead')), rows).trimEnd();
}

function stallsLine(
  { days, stalls: { count, longestSeconds: longest, lastAt } }: UnplannedEndsView,
  time: (rfc3339: string) => string,
  w: HealthMessages,
): string[] {
  return lastAt === null ? [] : [w('stalls', { count, days, longest, at: time(lastAt) })];
}

/** `check`: what is wrong and what to do. */
export async function check({ json }: { json: boolean }, context: Context): Promise<number> {
  const { terminal, language, time } = context;
  const w = sayer(healthMessages, language);
  const answers = await ask(context);
  const findings: readonly Finding[] = [
    ...(answers instanceof Error ? [unanswered(answers, w)] : findingsOf(answers, { language, time })),
    ...refusing(context, w),
  ];
  const exit = exitOf(findings);
  if (json) {
    terminal.out(`${JSON.stringify({ exit, findings })}\n`);
    return exit;
  }
  const shown = (name: string): string => wordFor(healthMessages, 'names', name, language);
  const width = Math.max(...findings.map(({ name }) => displayWidth(shown(name))));
  for (const { name, level, text } of findings)
    terminal.out(
      `${w(`marks_${level}`)}  ${shown(name)}${' '.repeat(width - displayWidth(shown(name)))}  ${text}\n`,
    );
  return exit;
}
