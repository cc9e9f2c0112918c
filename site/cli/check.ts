import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { lookup } from 'node:dns/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { HttpClient } from '../../common/http/client.ts';
import { readKeyText } from '../../common/http/credentials.ts';
import type { SigningKey } from '../../common/http/signature.ts';
import { NotRunning, type ApiClient } from '../../common/terminal/api.ts';
import { readArguments, type Terminal } from '../../common/terminal/command.ts';
import type { SiteConfig } from '../config.ts';
import { probeDisk } from '../retention/measure.ts';
import { EARLIEST_NOW } from '../status/clock.ts';
import type { SiteFacts } from '../status/schema.ts';
import { DATABASE_FILE } from '../store/open.ts';
import { testLink } from '../uplink/link-test.ts';
import { EXIT } from './status.ts';
import { size } from './status-screen.ts';

export interface Finding {
  name: string;
  level: 'good' | 'look' | 'bad';
  /** What was found, and for anything not good what to do. */
  text: string;
}

interface Context {
  api: ApiClient;
  config: SiteConfig;
}

const good = (name: string, text: string): Finding => ({ name, level: 'good', text });
const look = (name: string, text: string): Finding => ({ name, level: 'look', text });
const bad = (name: string, text: string): Finding => ({ name, level: 'bad', text });
/** Free room below which a check complains, bytes. */
const LITTLE = 100 * 1024 ** 2;

/** `check`: finds what is wrong and says what to do. Exit 0 good, 1 look at it, 2 bad. */
export async function checkCommand(argv: string[], { api, config, terminal }: Context & { terminal: Terminal }): Promise<number> {
  const { values } = readArguments(argv, { json: { type: 'boolean' } }, { min: 0, max: 0, usage: 'fieldline-site check [--json]' });
  const findings = await runChecks({ api, config });
  const exit = findings.some(({ level }) => level === 'bad') ? EXIT.bad : findings.some(({ level }) => level === 'look') ? EXIT.look : EXIT.well;
  const marks = { good: 'ok  ', look: 'LOOK', bad: 'BAD ' };
  const width = Math.max(...findings.map(({ name }) => name.length));
  terminal.out(values.json ? `${JSON.stringify({ exit, findings })}\n` : findings.map(({ name, level, text }) => `${marks[level]}  ${name.padEnd(width)}  ${text}\n`).join(''));
  return exit;
}

export async function runChecks({ api, config }: Context): Promise<Finding[]> {
  const facts = await running(api);
  return [
    facts ? good('service', `runs, version ${facts.version}, for ${facts.uptimeSeconds} s`) : bad('service', 'does not answer on its local socket; see: systemctl status fieldline-site, journalctl -u fieldline-site'),
    ...permissions(config), disk(config), clock(facts), store(config, facts), ...(await link(config)), ...state(facts),
  ];
}

async function running(api: ApiClient): Promise<SiteFacts | null> {
  try {
    return await api.call<SiteFacts>('GET', '/api/core/site/status');
  } catch (error) {
    if (error instanceof NotRunning) return null;
    throw error;
  }
}

function permissions({ dataDir }: SiteConfig): Finding[] {
  if (!existsSync(dataDir)) return [bad('data', `there is no folder ${dataDir}; it is made at the first start, or set CORE_DATA_DIR`)];
  const secrets = statSync(path.join(dataDir, 'secrets'), { throwIfNoEntry: false });
  const open = secrets !== undefined && (secrets.mode & 0o077) !== 0;
  const owner = statSync(dataDir).uid;
  const strange = [DATABASE_FILE, `${DATABASE_FILE}-wal`, 'secrets', 'evidence'].filter((name) => (statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.uid ?? owner) !== owner);
  return [
    writable(dataDir) ? good('data', `${dataDir} can be written`) : look('data', `${dataDir} cannot be written by this user; run this as the service's user or as root`),
    open ? bad('secrets', `others can read ${path.join(dataDir, 'secrets')}; run: chmod 700 ${path.join(dataDir, 'secrets')}`) : good('secrets', 'readable by their owner only'),
    ...(strange.length > 0 ? [bad('owner', `${strange.join(', ')} belong to another user than ${dataDir}; run: chown -R --reference=${dataDir} ${dataDir}`)] : []),
  ];
}

function writable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function disk({ dataDir, storageLimit }: SiteConfig): Finding {
  if (!existsSync(dataDir)) return look('disk', 'not looked at');
  const { freeBytes, totalBytes } = probeDisk(dataDir);
  const text = `${size(freeBytes)} of ${size(totalBytes)} free${storageLimit === null ? '' : `, limit ${size(storageLimit)}`}`;
  return freeBytes > Math.min(LITTLE, totalBytes / 10) ? good('disk', text) : bad('disk', `${text}; make room, or set CORE_RETENTION_EVENTS_DAYS`);
}

function clock(facts: SiteFacts | null): Finding {
  const now = new Date();
  if (now.getTime() < EARLIEST_NOW || facts?.clock.suspect) return bad('clock', `${now.toISOString()} cannot be right; set it: timedatectl set-time, or check the time service`);
  const sync = facts?.clock.synchronized ? ', synchronized' : '';
  return facts?.clock.lastStep ? look('clock', `${now.toISOString()}${sync}; it was set by ${Math.round(facts.clock.lastStep.stepMs / 1000)} s at ${facts.clock.lastStep.at}`) : good('clock', now.toISOString() + sync);
}

/** While the site runs it reads its store itself; otherwise SQLite goes through the whole file. */
function store({ dataDir }: SiteConfig, facts: SiteFacts | null): Finding {
  if (facts) {
    if (!facts.storing.ok) return bad('store', facts.storing.reason === 'disk_full' ? 'takes no events: the disk is full' : 'takes no write; see the log');
    const texts = { good: 'every row could be read', checking: 'is being read through', unchecked: 'takes writes; not read through yet', damaged: `is damaged: ${facts.integrity.fault ?? ''}; restart the service, it saves what it can` };
    return facts.integrity.state === 'damaged' ? bad('store', texts.damaged) : good('store', texts[facts.integrity.state]);
  }
  const file = path.join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return look('store', 'there is none yet; it is made at the first start');
  try {
    const db = new Database(file, { readonly: true });
    const fault = db.pragma('quick_check(1)', { simple: true }) as string;
    db.close();
    return fault === 'ok' ? good('store', 'SQLite finds no fault') : bad('store', `${fault}; the next start sets the store aside and saves what it can`);
  } catch (error) {
    return bad('store', `cannot be read (${(error as Error).message}); the next start sets a damaged store aside and saves what it can`);
  }
}

async function link({ uplink, instance, secrets }: SiteConfig): Promise<Finding[]> {
  if (!uplink) return [good('headquarters', 'none is configured; give one with: fieldline-site setup')];
  const { hostname } = new URL(uplink.url);
  let key: SigningKey;
  try {
    key = readKeyText(uplink.keyRef, secrets);
  } catch (error) {
    return [bad('key', `${(error as Error).message}; run fieldline-site setup, as root where the key is a credential`)];
  }
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return [bad('dns', `${hostname} cannot be resolved (${(error as { code?: string }).code ?? 'no answer'}); check the network and /etc/resolv.conf`)];
  }
  const client = new HttpClient();
  try {
    const result = await testLink({ client, url: uplink.url, key, instance, now: Date.now() });
    return [good('dns', hostname), result.ok ? good('headquarters', `${uplink.url} answers and knows this site`) : bad(result.reason === 'key' ? 'key' : 'headquarters', result.message)];
  } finally {
    client.close();
  }
}

function state(facts: SiteFacts | null): Finding[] {
  if (!facts) return [];
  const parked = facts.uplink.channels.reduce((sum, channel) => sum + channel.parked, 0);
  const silent = facts.cameras.filter((camera) => camera.silent);
  return [
    ...(parked > 0 ? [look('parked', `${parked} items that headquarters refused; see: fieldline-site parked list`)] : []),
    ...(silent.length > 0 ? [look('cameras', `silent: ${silent.map((camera) => camera.name).join(', ')}; check their power and network`)] : []),
    ...facts.alarms.map((alarm): Finding => ({ name: `alarm ${alarm.key}`, level: alarm.severity === 'critical' ? 'bad' : 'look', text: alarm.message })),
  ];
}
