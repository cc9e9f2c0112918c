import { displayWidth, renderTable } from '../../common/terminal/table.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { gatewayAddresses } from '../addresses.ts';
import type { SiteContext } from './context.ts';
import { localTime } from '../../common/terminal/local-time.ts';
import { nodeMessages } from './node-messages.ts';

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

/** `node add`: the key and the secret of a camera, shown this once. */
export async function addNode(
  { tenant, name, 'key-id': keyId }: { tenant: string; name: string; 'key-id': string | undefined },
  { api, terminal, config, language }: SiteContext,
): Promise<number> {
  const w = nodeMessages[language];
  const key = await api.call<Issued>('POST', '/api/core/nodes', {
    tenant_code: tenant,
    name,
    ...(keyId ? { key_id: keyId } : {}),
  });
  const scheme = config.tls === null ? 'http' : 'https';
  const addresses = addressesOr(config.listen.host, w.gateway).map(
    (host) => `${scheme}://${host}:${config.listen.port}/api/core/events`,
  );
  terminal.out(`${w.type}

  ${label(w.address)}${addresses.join(`\n         ${w.or} `)}
  ${label(w.keyId)}${key.keyId}
  ${label(w.secret)}${key.secret}

${w.signing}
`);
  return EXIT.well;
}

const label = (word: string): string => word + ' '.repeat(10 - displayWidth(word));

function addressesOr(listen: string, unknown: string): string[] {
  const addresses = gatewayAddresses(listen);
  return addresses.length > 0 ? addresses : [unknown];
}

/** `node list`. */
export async function listNodes(
  { json }: { json: boolean },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const { items } = await api.call<{ items: NodeView[] }>('GET', '/api/core/nodes');
  const rows = items.map((node) => [
    node.keyId,
    node.tenantCode,
    node.name,
    localTime(node.createdAt),
    node.previousSecretUntil === null ? '-' : localTime(node.previousSecretUntil),
  ]);
  const w = nodeMessages[language];
  if (json) terminal.out(`${JSON.stringify({ items })}\n`);
  else terminal.out(rows.length === 0 ? `${w.none}\n` : renderTable(w.head, rows));
  return EXIT.well;
}

/** `node rotate`: a new secret, shown this once. */
export async function rotateNode(
  { key: keyId, 'overlap-hours': hours }: { key: string; 'overlap-hours': number | undefined },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = nodeMessages[language];
  const key = await api.call<Issued>(
    'POST',
    `/api/core/nodes/${encodeURIComponent(keyId)}/rotate`,
    hours === undefined ? {} : { overlap_hours: hours },
  );
  terminal.out(`${label(w.keyId)}${key.keyId}\n${label(w.secret)}${key.secret}\n${w.overlap(hours ?? 24)}\n`);
  return EXIT.well;
}

/** `node remove`: its key stops working at once. */
export async function removeNode(
  { key: keyId }: { key: string },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  await api.call('DELETE', `/api/core/nodes/${encodeURIComponent(keyId)}`);
  terminal.out(`${nodeMessages[language].removed(keyId)}\n`);
  return EXIT.well;
}
