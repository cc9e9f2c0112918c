import { readFileSync } from 'node:fs';
import { type Language, sayer } from '../../common/message.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { terminalPasswords } from '../../common/terminal/password.ts';
import { displayWidth } from '../../common/terminal/table.ts';
import { driverOf } from '../intake/drivers.ts';
import type { ConnectionView, IssuedDevice } from '../intake/schema.ts';
import type { SiteFacts } from '../status/schema.ts';
import { span } from './amounts.ts';
import type { SiteContext } from './context.ts';
import { type DeviceCommandMessages, deviceCommandMessages } from './device-messages.ts';
import { statusMessages } from './status/status-messages.ts';

/** What was typed of a device; each member as the option of its name. */
export interface TypedDevice {
  kind: string;
  tenant: string;
  name: string;
  'key-id': string | undefined;
  'camera-ref': string | undefined;
  'site-ref': string | undefined;
  severity: string | undefined;
  silence: number | undefined;
  auth: string | undefined;
  network: string[] | undefined;
  channel: string[] | undefined;
  type: string[] | undefined;
  field: string[] | undefined;
  'state-end': string[] | undefined;
  'severity-word': string[] | undefined;
  address: string | undefined;
  user: string | undefined;
  'password-stdin': boolean;
  'password-ref': string | undefined;
  'tls-ca': string | undefined;
  'tls-fingerprint': string | undefined;
  'tls-unverified': boolean;
  quiet: number | undefined;
  topic: string | undefined;
  'api-address': string | undefined;
}

interface TriedMessage {
  at: string;
  bytes: number;
  contentType: string | null;
  heartbeats: number;
  unreadable: string[];
  parts: { form: string; bytes: number; text: string | null }[];
  events: { state: string; known: boolean; event: Record<string, unknown> }[];
}

/** `node add --kind`: a device that cannot sign, and what is typed into it, shown this once. */
export async function addDevice(typed: TypedDevice, context: SiteContext): Promise<number> {
  const { api, terminal, language } = context;
  const w = sayer(deviceCommandMessages, language);
  const { addresses } = await api.call<SiteFacts>('GET', '/api/core/site/status');
  const password = typed['password-ref'] === undefined ? await passwordOf(typed, { w, language }) : undefined;
  const body = { ...bodyOf(typed, w), ...(password === undefined ? {} : { password }) };
  const device = await api.call<IssuedDevice>('POST', '/api/core/devices', body);
  if (device.path === null) {
    const menu = driverOf(typed.kind).menu.pulled?.[language] ?? '';
    terminal.out(`${w('keyId')}: ${device.keyId}\n\n${w('connects')}\n${menu}\n`);
    return EXIT.well;
  }
  const told = whatToType({ ...device, path: device.path }, addresses, w);
  const menu = driverOf(typed.kind).menu.posts?.[language] ?? '';
  terminal.out(`${w('type')}\n\n${told}\n${menu}\n${w('limits')}\n`);
  return EXIT.well;
}

/** `node rotate` of such a device. */
export async function rotateDevice(keyId: string, context: SiteContext): Promise<number> {
  const { api, terminal, language } = context;
  const w = sayer(deviceCommandMessages, language);
  const { addresses } = await api.call<SiteFacts>('GET', '/api/core/site/status');
  const path = `/api/core/devices/${encodeURIComponent(keyId)}/rotate`;
  const device = await api.call<IssuedDevice>('POST', path);
  terminal.out(`${w('rotated')}\n\n${whatToType({ ...device, path: device.path ?? '' }, addresses, w)}`);
  return EXIT.well;
}

/** `node password`: what a device is shown that the site connects to. */
export async function givePassword(
  { key: keyId, user, ...typed }: { key: string; user: string | undefined; 'password-stdin': boolean },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(deviceCommandMessages, language);
  const passwords = terminalPasswords(w('ask'), language);
  const password = await (typed['password-stdin'] ? passwords.read() : passwords.askOnce());
  await api.call('PUT', `/api/core/devices/${encodeURIComponent(keyId)}/password`, {
    ...(user === undefined ? {} : { user }),
    password,
  });
  terminal.out(`${w('passwordGiven')}\n`);
  return EXIT.well;
}

/** Asked for, or read from standard input, where a user was named. */
async function passwordOf(
  { user, 'password-stdin': piped }: TypedDevice,
  { w, language }: { w: DeviceCommandMessages; language: Language },
): Promise<string | undefined> {
  if (user === undefined) {
    if (piped) throw new UsageError(w('noPassword'));
    return undefined;
  }
  const passwords = terminalPasswords(w('ask'), language);
  return piped ? passwords.read() : passwords.askOnce();
}

export interface DeviceSeen {
  keyId: string;
  kind: string;
  connection: ConnectionView | null;
  doubtful: number;
}

/** The devices that cannot sign, by key. */
export async function devicesByKey({ api }: SiteContext): Promise<Map<string, DeviceSeen>> {
  const { items } = await api.call<{ items: DeviceSeen[] }>('GET', '/api/core/devices');
  return new Map(items.map((device) => [device.keyId, device]));
}

/** How it stands with a device that the site connects to, in a line. */
export function connectionLine(view: ConnectionView, language: Language): string {
  const w = sayer(deviceCommandMessages, language);
  const status = sayer(statusMessages, language);
  const heard =
    view.aliveAt === null
      ? w('neverHeard')
      : w('heard', { age: span(Date.now() - Date.parse(view.aliveAt), status) });
  const reason = language === 'zh' ? view.reasonZh : view.reason;
  const condition = `${w(`conditions_${view.condition}`)}${status('comma')}${heard}`;
  return reason === null ? condition : `${condition}${status('semicolon')}${reason}`;
}

/** `node try`: what a device sends, and what it becomes. */
export async function tryDevice(
  { key: keyId, seconds = 30, json }: { key: string; seconds: number | undefined; json: boolean },
  context: SiteContext,
): Promise<number> {
  const { api, terminal, language } = context;
  const w = sayer(deviceCommandMessages, language);
  if (!json) terminal.out(`${w('waiting', { seconds })}\n`);
  const { items } = await api.call<{ items: TriedMessage[] }>(
    'POST',
    `/api/core/devices/${encodeURIComponent(keyId)}/try`,
    { seconds },
  );
  if (json) terminal.out(`${JSON.stringify({ items })}\n`);
  else await sayTried(keyId, items, context);
  const read = items.length > 0 && items.every(({ unreadable }) => unreadable.length === 0);
  return read ? EXIT.well : EXIT.look;
}

async function sayTried(keyId: string, items: TriedMessage[], context: SiteContext): Promise<void> {
  const { terminal, language } = context;
  const w = sayer(deviceCommandMessages, language);
  const connection = (await devicesByKey(context)).get(keyId)?.connection ?? null;
  if (connection) terminal.out(`${connectionLine(connection, language)}\n`);
  if (items.length > 0) terminal.out(items.map((one) => shown(one, w)).join('\n'));
  else terminal.out(`${connection ? w('nothingPulled') : w('nothing')}\n`);
}

function shown({ at, bytes, contentType, parts, ...read }: TriedMessage, w: DeviceCommandMessages): string {
  const lines = [
    `${at}  ${contentType ?? '-'}  ${bytes} B`,
    ...parts.map(
      ({ form, bytes: size, text }) => `  ${form} ${size} B${text === null ? '' : `\n${text.trim()}`}`,
    ),
    ...(read.heartbeats > 0 ? [w('heartbeats', { count: read.heartbeats })] : []),
    ...read.unreadable.map((reason) => w('unreadable', { reason })),
    ...read.events.map(({ state, known, event }) => {
      const becomes = state === 'ended' ? w('ends') : w('becomes');
      return `${becomes}${known ? '' : ` ${w('unknownType')}`}\n${JSON.stringify(event, null, 2)}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

function whatToType(
  device: IssuedDevice & { path: string },
  addresses: readonly string[],
  w: DeviceCommandMessages,
): string {
  const sites = addresses.length > 0 ? addresses.map((one) => new URL(one)) : [];
  const port = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
  const each = (read: (site: URL) => string): string => [...new Set(sites.map(read))].join(` ${w('or')} `);
  const rows: [string, string][] = [
    [w('keyId'), device.keyId],
    [w('host'), each(({ hostname }) => hostname) || w('gateway')],
    [w('port'), each(port) || '-'],
    [w('path'), device.path],
    [w('address'), `${sites[0]?.origin ?? w('gateway')}${device.path}`],
  ];
  if (device.user !== null) rows.push([w('user'), device.user]);
  if (device.password !== null) rows.push([w('password'), device.password]);
  return rows
    .map(([word, value]) => `  ${word}${' '.repeat(Math.max(1, 12 - displayWidth(word)))}${value}\n`)
    .join('');
}

function bodyOf(typed: TypedDevice, w: DeviceCommandMessages): object {
  const given = {
    kind: typed.kind,
    tenant_code: typed.tenant,
    name: typed.name,
    key_id: typed['key-id'],
    camera_ref: typed['camera-ref'],
    site_ref: typed['site-ref'],
    severity: typed.severity,
    silence_seconds: typed.silence,
    auth: typed.auth,
    source_networks: typed.network,
    address: typed.address && schemed(typed.address, driverOf(typed.kind).settings.address?.schemes[0]),
    user: typed.user,
    password_ref: typed['password-ref'],
    tls_ca: typed['tls-ca'] && fileText(typed['tls-ca'], w),
    tls_fingerprint: typed['tls-fingerprint'],
    tls_unverified: typed['tls-unverified'] || undefined,
    quiet_seconds: typed.quiet,
    topic: typed.topic,
    api_address: typed['api-address'] && schemed(typed['api-address'], 'http:'),
    channels: pairs(typed.channel, w),
    types: pairs(typed.type, w),
    fields: pairs(typed.field, w),
    state_ends: typed['state-end'],
    severity_words: pairs(typed['severity-word'], w),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** As people type an address: the scheme that the kind has first may be left out. */
const schemed = (address: string, scheme: string | undefined): string =>
  scheme === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${scheme}//${address}`;

function fileText(file: string, w: DeviceCommandMessages): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw Object.assign(new Error(w('noFile', { file, why: (error as Error).message })), { forPeople: true });
  }
}

/** `1=cam-gate` and the like. @throws an error for people */
function pairs(words: string[] | undefined, w: DeviceCommandMessages): Record<string, string> | undefined {
  if (words === undefined || words.length === 0) return undefined;
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw Object.assign(new Error(w('noPair', { word })), { forPeople: true });
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
