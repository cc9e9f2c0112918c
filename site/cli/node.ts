import { networkInterfaces } from 'node:os';
import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { renderTable } from '../../common/terminal/table.ts';
import type { SiteConfig } from '../config.ts';
import { localTime } from './local-time.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  config: SiteConfig;
}

interface Issued {
  keyId: string;
  secret: string;
}

interface NodeView {
  keyId: string;
  tenantCode: string;
  name: string;
  createdAt: string;
  previousSecretUntil: string | null;
}

/** `node add|list|rotate|remove`: the cameras that may post here. */
export async function nodeCommand(argv: string[], context: Context): Promise<number> {
  const [action, ...rest] = argv;
  switch (action) {
    case 'add': return add(rest, context);
    case 'list': return list(rest, context);
    case 'rotate': return rotate(rest, context);
    case 'remove': return remove(rest, context);
    default: throw new UsageError('usage: fieldline-site node add|list|rotate|remove');
  }
}

async function add(argv: string[], { api, terminal, config }: Context): Promise<number> {
  const usage = 'fieldline-site node add --tenant T --name N [--key-id K]';
  const { values } = readArguments(argv, { tenant: { type: 'string' }, name: { type: 'string' }, 'key-id': { type: 'string' } }, { min: 0, max: 0, usage });
  const key = await api.call<Issued>('POST', '/api/core/nodes', {
    tenant_code: required(values.tenant, '--tenant', usage), name: required(values.name, '--name', usage),
    ...(values['key-id'] ? { key_id: values['key-id'] } : {}),
  });
  const scheme = config.tls === null ? 'http' : 'https';
  const addresses = gatewayAddresses(config.listen.host).map((host) => `${scheme}://${host}:${config.listen.port}/api/core/events`);
  terminal.out(`Type this into the camera; the secret is shown this once.

  address   ${addresses.join('\n         or ')}
  key id    ${key.keyId}
  secret    ${key.secret}

Each request carries X-Core-Key, X-Core-Timestamp and X-Core-Signature; how they are made: man fieldline-site, SIGNED REQUESTS.
`);
  return 0;
}

/** What the camera may reach this machine under. */
function gatewayAddresses(listen: string): string[] {
  if (listen !== '0.0.0.0' && listen !== '::') return [listen.includes(':') ? `[${listen}]` : listen];
  const found = Object.values(networkInterfaces()).flatMap((all) => all ?? []).filter((one) => one.family === 'IPv4' && !one.internal).map((one) => one.address);
  return found.length > 0 ? found : ['<address of this gateway>'];
}

async function list(argv: string[], { api, terminal }: Context): Promise<number> {
  readArguments(argv, {}, { min: 0, max: 0, usage: 'fieldline-site node list' });
  const { items } = await api.call<{ items: NodeView[] }>('GET', '/api/core/nodes');
  const rows = items.map((node) => [node.keyId, node.tenantCode, node.name, localTime(node.createdAt), node.previousSecretUntil === null ? '-' : localTime(node.previousSecretUntil)]);
  terminal.out(rows.length === 0 ? 'No camera is registered; add one with: fieldline-site node add\n'
    : renderTable(['KEY', 'TENANT', 'NAME', 'SINCE', 'OLD SECRET UNTIL'], rows));
  return 0;
}

async function rotate(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-site node rotate KEY [--overlap-hours H]';
  const { values, positionals } = readArguments(argv, { 'overlap-hours': { type: 'string' } }, { min: 1, max: 1, usage });
  const hours = values['overlap-hours'] === undefined ? undefined : Number(values['overlap-hours']);
  if (hours !== undefined && !Number.isFinite(hours)) throw new UsageError(`--overlap-hours must be a number\nusage: ${usage}`);
  const key = await api.call<Issued>('POST', `/api/core/nodes/${encodeURIComponent(positionals[0] ?? '')}/rotate`, hours === undefined ? {} : { overlap_hours: hours });
  terminal.out(`key id    ${key.keyId}\nsecret    ${key.secret}\nThe old secret works on for ${hours ?? 24} hours.\n`);
  return 0;
}

async function remove(argv: string[], { api, terminal }: Context): Promise<number> {
  const { positionals } = readArguments(argv, {}, { min: 1, max: 1, usage: 'fieldline-site node remove KEY' });
  await api.call('DELETE', `/api/core/nodes/${encodeURIComponent(positionals[0] ?? '')}`);
  terminal.out(`${positionals[0]} is removed; its requests are refused from now on.\n`);
  return 0;
}
