import { sayer } from '../../common/message.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { localTime } from '../../common/terminal/local-time.ts';
import { columns, displayWidth, renderTable } from '../../common/terminal/table.ts';
import { isLoopback } from '../addresses.ts';
import type { SiteFacts } from '../status/schema.ts';
import type { SiteContext } from './context.ts';
import {
  addDevice,
  connectionLine,
  devicesByKey,
  type DeviceSeen,
  rotateDevice,
  type TypedDevice,
} from './device.ts';
import { deviceCommandMessages } from './device-messages.ts';
import { type NodeMessages, nodeMessages } from './node-messages.ts';
import { statusMessages } from './status/status-messages.ts';

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

/**
 * `node add`: what is typed into a camera, shown this once: a key with its secret, or the path of its kind.
 */
export async function addNode(
  typed: Omit<TypedDevice, 'kind'> & { kind: string | undefined },
  context: SiteContext,
): Promise<number> {
  const { kind, tenant, name, 'key-id': keyId } = typed;
  const { api, terminal, language } = context;
  if (kind !== undefined) return addDevice({ ...typed, kind }, context);
  const w = sayer(nodeMessages, language);
  const facts = await api.call<SiteFacts>('GET', '/api/core/site/status');
  const { items } = await api.call<{ items: NodeView[] }>('GET', '/api/core/nodes');
  const key = await api.call<Issued>('POST', '/api/core/nodes', {
    tenant_code: tenant,
    name,
    ...(keyId ? { key_id: keyId } : {}),
  });
  const addresses = (facts.addresses.length > 0 ? facts.addresses : [w('gateway')]).map(
    (address) => `${address}/api/core/events`,
  );
  terminal.out(`${w('type')}

  ${label(w('address'))}${addresses.join(`\n         ${w('or')} `)}
  ${label(w('keyId'))}${key.keyId}
  ${label(w('secret'))}${key.secret}

${w('signing')}
`);
  const doubts = doubtsOf({ tenantCode: tenant, name }, { facts, items }, w);
  const { enabled, tenants } = facts.uplink;
  const untold = enabled && tenants === null ? [w('tenantsUnknown', { tenant })] : [];
  for (const note of [...doubts, ...untold]) terminal.out(`\n${note}\n`);
  return doubts.length > 0 ? EXIT.look : EXIT.well;
}

/** What makes it likely that a camera is not registered as it was meant. Pure. */
function doubtsOf(
  { tenantCode, name }: Pick<NodeView, 'tenantCode' | 'name'>,
  { facts, items }: { facts: SiteFacts; items: readonly NodeView[] },
  w: NodeMessages,
): string[] {
  const alike = items.find((node) => node.tenantCode === tenantCode && node.name === name);
  const { instance, tenants } = facts.uplink;
  const doubts: string[] = [];
  if (alike) doubts.push(w('nameInUse', { name, tenant: tenantCode, keyId: alike.keyId }));
  if (tenants && !tenants.includes(tenantCode))
    doubts.push(
      w('tenantNotAllowed', {
        tenant: tenantCode,
        allowed: tenants.join(w('comma')),
        command: [
          'fieldline-hq site tenants',
          instance,
          ...[...tenants, tenantCode].map((one) => `--tenant ${one}`),
        ].join(' '),
      }),
    );
  if (facts.addresses.length > 0 && facts.addresses.every(isLoopback))
    doubts.push(w('onlyHere', { address: facts.addresses.join(', ') }));
  return doubts;
}

const label = (word: string): string => word + ' '.repeat(10 - displayWidth(word));

/** `node list`. */
export async function listNodes({ json }: { json: boolean }, context: SiteContext): Promise<number> {
  const { api, terminal, language } = context;
  const devices = await devicesByKey(context);
  const { items: nodes } = await api.call<{ items: NodeView[] }>('GET', '/api/core/nodes');
  const items = nodes.map((node) => {
    const device = devices.get(node.keyId);
    const { kind = 'signed', connection = null, doubtful = 0 } = device ?? {};
    return { ...node, kind, connection, doubtful };
  });
  const rows = items.map((node) => [
    node.keyId,
    node.tenantCode,
    node.name,
    node.kind,
    localTime(node.createdAt),
    node.previousSecretUntil === null ? '-' : localTime(node.previousSecretUntil),
    conditionOf(node, language),
  ]);
  const w = sayer(nodeMessages, language);
  if (json) terminal.out(`${JSON.stringify({ items })}\n`);
  else terminal.out(rows.length === 0 ? `${w('none')}\n` : renderTable(columns(w('head')), rows));
  return EXIT.well;
}

/** How it stands with a device, and what is to be looked at in what it sent. */
function conditionOf(
  { connection, doubtful }: Pick<DeviceSeen, 'connection' | 'doubtful'>,
  language: SiteContext['language'],
): string {
  const told = [
    ...(connection === null ? [] : [connectionLine(connection, language)]),
    ...(doubtful === 0 ? [] : [sayer(deviceCommandMessages, language)('doubtful', { count: doubtful })]),
  ];
  return told.length === 0 ? '-' : told.join(sayer(statusMessages, language)('semicolon'));
}

/** `node rotate`: a new secret, shown this once. */
export async function rotateNode(
  { key: keyId, 'overlap-hours': hours }: { key: string; 'overlap-hours': number | undefined },
  context: SiteContext,
): Promise<number> {
  const { api, terminal, language } = context;
  if ((await devicesByKey(context)).has(keyId)) return rotateDevice(keyId, context);
  const w = sayer(nodeMessages, language);
  const key = await api.call<Issued>(
    'POST',
    `/api/core/nodes/${encodeURIComponent(keyId)}/rotate`,
    hours === undefined ? {} : { overlap_hours: hours },
  );
  const until = hours === 0 ? w('oldSecretEnds') : w('overlap', { hours: hours ?? 24 });
  terminal.out(`${label(w('keyId'))}${key.keyId}\n${label(w('secret'))}${key.secret}\n${until}\n`);
  return EXIT.well;
}

/** `node remove`: its key stops working at once. */
export async function removeNode({ key: keyId }: { key: string }, context: SiteContext): Promise<number> {
  const { api, terminal, language } = context;
  const list = (await devicesByKey(context)).has(keyId) ? 'devices' : 'nodes';
  await api.call('DELETE', `/api/core/${list}/${encodeURIComponent(keyId)}`);
  terminal.out(`${sayer(nodeMessages, language)('removed', { keyId })}\n`);
  return EXIT.well;
}
