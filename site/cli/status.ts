import { ApiError, NotRunning, type ApiClient } from '../../common/terminal/api.ts';
import { readArguments, type Terminal } from '../../common/terminal/command.ts';
import { renderTable } from '../../common/terminal/table.ts';
import type { SiteConfig } from '../config.ts';
import type { SiteUplinkStatus } from '../uplink/status.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  config: SiteConfig;
}

interface Facts {
  version: { version: string; instance: string; epoch: string };
  storing: boolean;
  uplink: SiteUplinkStatus;
  alarms: { key: string; severity: 'warning' | 'critical'; message: string; raisedAt: string }[];
}

/** Exit codes of `status`, for monitoring. */
const EXIT = { well: 0, look: 1, bad: 2 } as const;
/** A backlog older than this is worth a look, ms. */
const LATE_MS = 10 * 60_000;

/** `status`: is it storing, does the link work, what waits, what needs a person. */
export async function statusCommand(argv: string[], { api, terminal, config }: Context): Promise<number> {
  const { values } = readArguments(argv, { json: { type: 'boolean' } }, { min: 0, max: 0, usage: 'fieldline-site status [--json]' });
  let facts: Facts;
  try {
    facts = await collect(api);
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    terminal.out(values.json ? `${JSON.stringify({ running: false, error: error.message })}\n` : `NOT RUNNING  ${error.message}\n`);
    return EXIT.bad;
  }
  const exit = judge(facts, Date.now());
  terminal.out(values.json ? `${JSON.stringify({ running: true, exit, ...facts })}\n` : screen(facts, config, Date.now()));
  return exit;
}

async function collect(api: ApiClient): Promise<Facts> {
  const version = await api.call<Facts['version']>('GET', '/api/core/version');
  const uplink = await api.call<SiteUplinkStatus>('GET', '/api/core/uplink/status');
  const { items: alarms } = await api.call<{ items: Facts['alarms'] }>('GET', '/api/core/alarms');
  return { version, storing: await isStoring(api), uplink, alarms };
}

async function isStoring(api: ApiClient): Promise<boolean> {
  try {
    await api.call('GET', '/readyz');
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** @param now epoch milliseconds */
export function judge(facts: Facts, now: number): number {
  if (!facts.storing || facts.alarms.some((alarm) => alarm.severity === 'critical')) return EXIT.bad;
  const late = facts.uplink.channels.some((channel) => channel.oldestUnsentAt !== null && now - Date.parse(channel.oldestUnsentAt) > LATE_MS);
  const parked = facts.uplink.channels.some((channel) => channel.parked > 0);
  return late || parked || facts.alarms.length > 0 || (facts.uplink.enabled && facts.uplink.link !== 'up') ? EXIT.look : EXIT.well;
}

function screen(facts: Facts, config: SiteConfig, now: number): string {
  const { version, uplink, alarms } = facts;
  const [events] = uplink.channels;
  const lines = [
    ['site', `${version.instance}, version ${version.version}`],
    ['storing', facts.storing ? `yes, ${events?.head ?? 0} events so far, in ${config.dataDir}` : 'NO: the store takes no write; see the log'],
    ['link', linkText(uplink, now)],
    ...uplink.channels.map((channel) => [
      channel.name,
      `${channel.backlog} waiting${channel.oldestUnsentAt ? `, the oldest for ${age(channel.oldestUnsentAt, now)}` : ''}, ` +
        `${channel.sentTotal} sent, ${channel.parked} parked${channel.lastError ? `; last error: ${channel.lastError}` : ''}`,
    ]),
    ['alarms', alarms.length === 0 ? 'none' : String(alarms.length)],
  ];
  const width = Math.max(...lines.map(([name]) => (name ?? '').length));
  const top = lines.map(([name, text]) => `${(name ?? '').padEnd(width)}  ${text}\n`).join('');
  const list = alarms.length === 0 ? '' : `\n${renderTable(['SEVERITY', 'SINCE', 'ALARM', 'WHAT'], alarms.map((one) => [one.severity, one.raisedAt, one.key, one.message]))}`;
  return top + list;
}

function linkText(uplink: SiteUplinkStatus, now: number): string {
  if (!uplink.enabled) return 'no headquarters is configured';
  const last = uplink.channels.flatMap((channel) => channel.lastAckAt ?? []).sort().at(-1);
  const heard = last ? `headquarters last answered ${age(last, now)} ago` : 'headquarters has never answered';
  return `${uplink.link === 'up' ? 'up' : 'DOWN'}, ${heard}`;
}

function age(since: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
