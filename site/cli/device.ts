import { EXIT } from '../../common/terminal/exit.ts';
import { displayWidth } from '../../common/terminal/table.ts';
import type { SiteFacts } from '../status/schema.ts';
import type { IssuedDevice } from '../intake/schema.ts';
import type { SiteContext } from './context.ts';
import { deviceCommandMessages, type DeviceCommandMessages } from './device-messages.ts';

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
  const w = deviceCommandMessages[language];
  const { addresses } = await api.call<SiteFacts>('GET', '/api/core/site/status');
  const device = await api.call<IssuedDevice>('POST', '/api/core/devices', bodyOf(typed, w));
  terminal.out(`${w.type}\n\n${whatToType(device, addresses, w)}\n${w.menu[typed.kind] ?? ''}\n`);
  return EXIT.well;
}

/** `node rotate` of such a device. */
export async function rotateDevice(keyId: string, context: SiteContext): Promise<number> {
  const { api, terminal, language } = context;
  const w = deviceCommandMessages[language];
  const { addresses } = await api.call<SiteFacts>('GET', '/api/core/site/status');
  const path = `/api/core/devices/${encodeURIComponent(keyId)}/rotate`;
  const device = await api.call<IssuedDevice>('POST', path);
  terminal.out(`${w.rotated}\n\n${whatToType(device, addresses, w)}`);
  return EXIT.well;
}

/** Whether this key stands for a device that cannot sign, and of which kind. */
export async function deviceKinds({ api }: SiteContext): Promise<Map<string, string>> {
  const { items } = await api.call<{ items: { keyId: string; kind: string }[] }>('GET', '/api/core/devices');
  return new Map(items.map(({ keyId, kind }) => [keyId, kind]));
}

/** `node try`: what a device sends, and what it becomes. */
export async function tryDevice(
  { key: keyId, seconds = 30, json }: { key: string; seconds: number | undefined; json: boolean },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = deviceCommandMessages[language];
  if (!json) terminal.out(`${w.waiting(seconds)}\n`);
  const { items } = await api.call<{ items: TriedMessage[] }>(
    'POST',
    `/api/core/devices/${encodeURIComponent(keyId)}/try`,
    { seconds },
  );
  if (json) terminal.out(`${JSON.stringify({ items })}\n`);
  else terminal.out(items.length === 0 ? `${w.nothing}\n` : items.map((one) => shown(one, w)).join('\n'));
  const read = items.length > 0 && items.every(({ unreadable }) => unreadable.length === 0);
  return read ? EXIT.well : EXIT.look;
}

function shown({ at, bytes, contentType, parts, ...read }: TriedMessage, w: DeviceCommandMessages): string {
  const lines = [
    `${at}  ${contentType ?? '-'}  ${bytes} B`,
    ...parts.map(
      ({ form, bytes: size, text }) => `  ${form} ${size} B${text === null ? '' : `\n${text.trim()}`}`,
    ),
    ...(read.heartbeats > 0 ? [w.heartbeats(read.heartbeats)] : []),
    ...read.unreadable.map((reason) => w.unreadable(reason)),
    ...read.events.map(
      ({ state, known, event }) =>
        `${w.becomes(state)}${known ? '' : ` ${w.unknownType}`}\n${JSON.stringify(event, null, 2)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function whatToType(device: IssuedDevice, addresses: readonly string[], w: DeviceCommandMessages): string {
  const sites = addresses.length > 0 ? addresses.map((one) => new URL(one)) : [];
  const port = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
  const each = (read: (site: URL) => string): string => [...new Set(sites.map(read))].join(` ${w.or} `);
  const rows: [string, string][] = [
    [w.keyId, device.keyId],
    [w.host, each(({ hostname }) => hostname) || w.gateway],
    [w.port, each(port) || '-'],
    [w.path, device.path],
    [w.address, `${sites[0]?.origin ?? w.gateway}${device.path}`],
  ];
  if (device.user !== null) rows.push([w.user, device.user]);
  if (device.password !== null) rows.push([w.password, device.password]);
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
    channels: pairs(typed.channel, w),
    types: pairs(typed.type, w),
    fields: pairs(typed.field, w),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** `1=cam-gate` and the like. @throws an error for people */
function pairs(words: string[] | undefined, w: DeviceCommandMessages): Record<string, string> | undefined {
  if (words === undefined || words.length === 0) return undefined;
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw Object.assign(new Error(w.noPair(word)), { forPeople: true });
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
