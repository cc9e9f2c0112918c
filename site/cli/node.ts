import { networkInterfaces } from 'node:os';
import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { displayWidth, renderTable } from '../../common/terminal/table.ts';
import type { SiteConfig } from '../config.ts';
import { commandMessages } from './command-messages.ts';
import { localTime } from './local-time.ts';
import { nodeMessages } from './node-messages.ts';
import type { Language } from '../../common/message.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  config: SiteConfig;
  language: Language;
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
    case 'add':
      return add(rest, context);
    case 'list':
      return list(rest, context);
    case 'rotate':
      return rotate(rest, context);
    case 'remove':
      return remove(rest, context);
    default:
      throw new UsageError('usage: fieldline-site node add|list|rotate|remove');
  }
}

async function add(argv: string[], { api, terminal, config, language }: Context): Promise<number> {
  const w = nodeMessages[language];
  const { missing } = commandMessages[language];
  const usage = 'fieldline-site node add --tenant T --name N [--key-id K]';
  const { values } = readArguments(
    argv,
    { tenant: { type: 'string' }, name: { type: 'string' }, 'key-id': { type: 'string' } },
    { min: 0, max: 0, usage },
  );
  const key = await api.call<Issued>('POST', '/api/core/nodes', {
    tenant_code: required(values.tenant, '--tenant', usage, missing),
    name: required(values.name, '--name', usage, missing),
    ...(values['key-id'] ? { key_id: values['key-id'] } : {}),
  });
  const scheme = config.tls === null ? 'http' : 'https';
  const addresses = gatewayAddresses(config.listen.host, w.gateway).map(
    (host) => `${scheme}://${host}:${config.listen.port}/api/core/events`,
  );
  terminal.out(`${w.type}

  ${label(w.address)}${addresses.join(`\n         ${w.or} `)}
  ${label(w.keyId)}${key.keyId}
  ${label(w.secret)}${key.secret}

${w.signing}
`);
  return 0;
}

const label = (word: string): string => word + ' '.repeat(10 - displayWidth(word));

/** What the camera may reach this machine under. */
function gatewayAddresses(listen: string, unknown: string): string[] {
  if (listen !== '0.0.0.0' && listen !== '::') return [listen.includes(':') ? `[${listen}]` : listen];
  const found = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter((one) => one.family === 'IPv4' && !one.internal)
    .map((one) => one.address);
  return found.length > 0 ? found : [unknown];
}

async function list(argv: string[], { api, terminal, language }: Context): Promise<number> {
  readArguments(argv, {}, { min: 0, max: 0, usage: 'fieldline-site node list' });
  const { items } = await api.call<{ items: NodeView[] }>('GET', '/api/core/nodes');
  const rows = items.map((node) => [
    node.keyId,
    node.tenantCode,
    node.name,
    localTime(node.createdAt),
    node.previousSecretUntil === null ? '-' : localTime(node.previousSecretUntil),
  ]);
  terminal.out(
    rows.length === 0 ? `${nodeMessages[language].none}\n` : renderTable(nodeMessages[language].head, rows),
  );
  return 0;
}

async function rotate(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = nodeMessages[language];
  const usage = 'fieldline-site node rotate KEY [--overlap-hours H]';
  const { values, positionals } = readArguments(
    argv,
    { 'overlap-hours': { type: 'string' } },
    { min: 1, max: 1, usage },
  );
  const hours = values['overlap-hours'] === undefined ? undefined : Number(values['overlap-hours']);
  if (hours !== undefined && !Number.isFinite(hours)) throw new UsageError(`${w.noHours}\nusage: ${usage}`);
  const key = await api.call<Issued>(
    'POST',
    `/api/core/nodes/${encodeURIComponent(positionals[0] ?? '')}/rotate`,
    hours === undefined ? {} : { overlap_hours: hours },
  );
  terminal.out(`${label(w.keyId)}${key.keyId}\n${label(w.secret)}${key.secret}\n${w.overlap(hours ?? 24)}\n`);
  return 0;
}

async function remove(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const { positionals } = readArguments(
    argv,
    {},
    { min: 1, max: 1, usage: 'fieldline-site node remove KEY' },
  );
  const [keyId = ''] = positionals;
  await api.call('DELETE', `/api/core/nodes/${encodeURIComponent(keyId)}`);
  terminal.out(`${nodeMessages[language].removed(keyId)}\n`);
  return 0;
}
