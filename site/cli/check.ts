import { accessSync, constants, existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { UNREADABLE_ALARM } from '../../common/core/secret/record.ts';
import { probeDisk, refusedWrite } from '../../common/disk-space.ts';
import { type Language, say, sayer, wordFor } from '../../common/message.ts';
import { size } from '../../common/terminal/amounts.ts';
import { type ApiClient, NoAnswer, NotRunning } from '../../common/terminal/api.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { localTime, localTimeWithZone } from '../../common/terminal/local-time.ts';
import { displayWidth } from '../../common/terminal/table.ts';
import type { SiteConfig } from '../config.ts';
import { EARLIEST_NOW } from '../status/clock.ts';
import type { SiteFacts } from '../status/schema.ts';
import { DATABASE_FILE, foresee } from '../store/foresee.ts';
import { storeMessages } from '../store/store-messages.ts';
import { span } from './amounts.ts';
import { type CheckMessages, checkMessages } from './check-messages.ts';
import type { SiteContext } from './context.ts';
import { bad, type Finding, good, look } from './finding.ts';
import { link } from './link-finding.ts';
import { alarmText } from './status/lines.ts';
import { statusMessages } from './status/status-messages.ts';

interface Context {
  api: ApiClient;
  config: SiteConfig;
}

/** With less free room than this, bytes, a check complains. */
const LITTLE = 100 * 1024 ** 2;

/** What the program notes beside its store, and what its service does. */
const NOTES = ['site.known', 'running', 'last-end', 'unplanned-ends.json', 'stalls.json', 'evidence.mark'];

/** Alarms whose cause has a finding of its own. */
const TOLD = new Set(['disk_short', 'disk_full', 'uplink_parked', UNREADABLE_ALARM]);

/** `check`: finds what is wrong and says what to do. Its exit code is that of `status`, or a worse one. */
export async function check(
  { json }: { json: boolean },
  { api, config, terminal, language }: SiteContext,
): Promise<number> {
  const findings = await runChecks({ api, config }, language);
  const exit = findings.some(({ level }) => level === 'bad')
    ? EXIT.bad
    : findings.some(({ level }) => level === 'look')
      ? EXIT.look
      : EXIT.well;
  const w = sayer(checkMessages, language);
  const shown = (name: string): string => wordFor(checkMessages, 'names', name, language);
  const width = Math.max(...findings.map(({ name }) => displayWidth(shown(name))));
  terminal.out(
    json
      ? `${JSON.stringify({ exit, findings })}\n`
      : findings
          .map(({ name, level, text }) => {
            const room = ' '.repeat(width - displayWidth(shown(name)));
            return `${w(`marks_${level}`)}  ${shown(name)}${room}  ${text}\n`;
          })
          .join(''),
  );
  return exit;
}

export async function runChecks({ api, config }: Context, language: Language = 'en'): Promise<Finding[]> {
  const w = sayer(checkMessages, language);
  const found = await running(api);
  const facts = found instanceof NotRunning ? null : found;
  const findings = [
    facts
      ? good(
          'service',
          w('runs', {
            version: facts.version,
            span: span(facts.uptimeSeconds * 1000, sayer(statusMessages, language)),
          }),
        )
      : bad('service', found instanceof NoAnswer ? w('hung') : w('silent')),
    ...permissions(config, w),
    secrets(config, { facts, w, language }),
    disk(config, { facts, w }),
    clock(facts, { w, language }),
    store(config, { facts, w, language }),
    ...(await link(config, { facts, w, language })),
    ...state(facts, { w, language }),
  ];
  return facts ? [...findings, ...beyond(findings, facts.state, w)] : findings;
}

/** What `status` says of the site is never better here. */
function beyond(findings: readonly Finding[], state: SiteFacts['state'], w: CheckMessages): Finding[] {
  if (state === 'well' || findings.some(({ level }) => level === 'bad' || level === state)) return [];
  return [{ name: 'status', level: state, text: w('statusToo') }];
}

async function running(api: ApiClient): Promise<SiteFacts | NotRunning> {
  try {
    return await api.call<SiteFacts>('GET', '/api/core/site/status');
  } catch (error) {
    if (error instanceof NotRunning) return error;
    throw error;
  }
}

function permissions({ dataDir }: SiteConfig, w: CheckMessages): Finding[] {
  if (!existsSync(dataDir)) return [bad('data', w('noFolder', { dir: dataDir }))];
  const owner = statSync(dataDir).uid;
  const strange = [DATABASE_FILE, `${DATABASE_FILE}-wal`, 'secrets', 'evidence'].filter(
    (name) => (statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.uid ?? owner) !== owner,
  );
  return [
    written(dataDir, w),
    ...oddEntries(dataDir, w),
    ...(strange.length > 0 ? [bad('owner', w('strange', { names: strange.join(', '), dir: dataDir }))] : []),
  ];
}

/** What has the name of something else. */
function oddEntries(dataDir: string, w: CheckMessages): Finding[] {
  const odd = (names: readonly string[], isRight: (found: Stats) => boolean): string[] =>
    names
      .map((name) => path.join(dataDir, name))
      .filter((entry) => {
        const found =
          statSync(entry, { throwIfNoEntry: false }) ?? lstatSync(entry, { throwIfNoEntry: false });
        return found !== undefined && !isRight(found);
      });
  const isFile = (found: Stats): boolean => found.isFile();
  const secrets = statSync(path.join(dataDir, 'secrets'), { throwIfNoEntry: false });
  const keys = secrets?.isDirectory() ? ['secrets/seal-key', 'secrets/admin-key'] : [];
  return [
    ...odd(['secrets', 'evidence'], (found) => found.isDirectory()).map((entry) =>
      bad('data', w('notAFolder', { entry })),
    ),
    ...odd(keys, isFile).map((entry) => bad('data', w('notAFile', { entry }))),
    ...odd(NOTES, isFile).map((entry) => look('data', w('notAFile', { entry }))),
  ];
}

/** A running site knows whether what it keeps there can be read; without one, whether there is anything. */
function secrets(
  { dataDir }: SiteConfig,
  { facts, w, language }: { facts: SiteFacts | null; w: CheckMessages; language: Language },
): Finding {
  const alarm = facts?.alarms.find(({ key }) => key === UNREADABLE_ALARM);
  if (alarm) return bad('secrets', alarmText(alarm, language));
  const folder = path.join(dataDir, 'secrets');
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined)
    return existsSync(path.join(dataDir, DATABASE_FILE))
      ? bad('secrets', w('noSecrets', { folder }))
      : look('secrets', w('notLooked'));
  return (found.mode & 0o077) === 0
    ? good('secrets', w('closed'))
    : bad('secrets', w('open', { secrets: folder }));
}

function written(dir: string, w: CheckMessages): Finding {
  const code = refusedWrite(dir);
  if (code !== null) return bad('data', w('diskRefuses', { dir, code }));
  try {
    accessSync(dir, constants.W_OK);
    return good('data', w('writable', { dir }));
  } catch {
    return look('data', w('notWritable', { dir }));
  }
}

/** A running site is asked how much it may still store; without one the free room of the disk tells. */
function disk(
  { dataDir, storageLimit, uplink }: SiteConfig,
  { facts, w }: { facts: SiteFacts | null; w: CheckMessages },
): Finding {
  if (!existsSync(dataDir)) return look('disk', w('notLooked'));
  const hub = uplink === null ? 'alone' : 'uplinked';
  if (facts?.disk.level === 'full')
    return bad('disk', w('fullDisk', { used: size(facts.disk.usedBytes), then: w(`full_${hub}`) }));
  if (facts?.disk.level === 'short')
    return look(
      'disk',
      w('shortDisk', {
        left: size(facts.disk.roomBytes),
        used: size(facts.disk.usedBytes),
        then: w(`short_${hub}`),
      }),
    );
  const { freeBytes, totalBytes } = probeDisk(dataDir);
  const limit = storageLimit === null ? '' : w('limit', { limit: size(storageLimit) });
  const text = w('free', { free: size(freeBytes), total: size(totalBytes) }) + limit;
  return freeBytes > Math.min(LITTLE, totalBytes / 10)
    ? good('disk', text)
    : bad('disk', `${text}${w('littleRoom')}`);
}

function clock(facts: SiteFacts | null, { w, language }: { w: CheckMessages; language: Language }): Finding {
  const now = new Date();
  const shown = localTimeWithZone(now.getTime());
  if (now.getTime() < EARLIEST_NOW || facts?.clock.suspect)
    return look('clock', w('clockBad', { now: shown }));
  const sync = facts?.clock.synchronized ? w('synchronized') : '';
  const step = facts?.clock.lastStep;
  return step
    ? look(
        'clock',
        w('clockStepped', {
          now: shown + sync,
          by: `${step.stepMs > 0 ? '+' : '−'}${span(Math.abs(step.stepMs), sayer(statusMessages, language))}`,
          at: localTime(step.at),
        }),
      )
    : good('clock', shown + sync);
}

/** While the site runs it reads its store itself; otherwise what the next start would say and do. */
function store(
  { dataDir }: SiteConfig,
  { facts, w, language }: { facts: SiteFacts | null; w: CheckMessages; language: Language },
): Finding {
  if (facts) {
    if (!facts.storing.ok)
      return bad('store', facts.storing.reason === 'disk_full' ? w('diskFull') : w('noWrite'));
    const texts = {
      good: w('storeGood'),
      checking: w('storeChecking'),
      unchecked: w('storeUnchecked'),
      damaged: w('storeDamaged', { fault: facts.integrity.fault ?? '' }),
    };
    return facts.integrity.state === 'damaged'
      ? bad('store', texts.damaged)
      : good('store', texts[facts.integrity.state]);
  }
  if (!existsSync(dataDir)) return look('store', w('noStore'));
  const next = foresee(dataDir);
  switch (next.kind) {
    case 'none':
      return look('store', w('noStore'));
    case 'lost':
      return bad('store', w('storeGone', { file: path.join(dataDir, DATABASE_FILE) }));
    case 'refused':
      return bad('store', say(storeMessages, next.fault, language));
    case 'damaged':
      return bad('store', w('sqliteFault', { fault: next.reason }));
    case 'sound':
      return good('store', w('sqliteGood'));
  }
}

function state(
  facts: SiteFacts | null,
  { w, language }: { w: CheckMessages; language: Language },
): Finding[] {
  if (!facts) return [];
  const parked = facts.uplink.channels.reduce((sum, channel) => sum + channel.parked, 0);
  const silent = facts.cameras.filter((camera) => camera.silent);
  return [
    ...(parked > 0 ? [look('parked', w('parked', { count: parked }))] : []),
    ...(silent.length > 0
      ? [look('cameras', w('camerasSilent', { names: silent.map((camera) => camera.name).join(', ') }))]
      : []),
    ...facts.alarms
      .filter(({ key }) => !TOLD.has(key))
      .map((alarm): Finding => ({
        name: `${w('alarm')} ${alarm.key}`,
        level: alarm.severity === 'critical' ? 'bad' : 'look',
        text: alarmText(alarm, language),
      })),
  ];
}
