import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { renderTable } from '../../common/terminal/table.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
}

interface Issued {
  keyId: string;
  secret: string;
}

interface SiteView {
  instance: string;
  tenants: string[];
  createdAt: string;
  keys: { keyId: string }[];
}

/** `site add|list|tenants|continue|rotate|remove`: the sites that may join. */
export async function siteCommand(argv: string[], context: Context): Promise<number> {
  const [action, ...rest] = argv;
  switch (action) {
    case 'add':
      return add(rest, context);
    case 'list':
      return list(rest, context);
    case 'tenants':
      return tenants(rest, context);
    case 'continue':
      return continues(rest, context);
    case 'rotate':
      return rotate(rest, context);
    case 'remove':
      return remove(rest, context);
    default:
      throw new UsageError('usage: fieldline-hq site add|list|tenants|continue|rotate|remove');
  }
}

const TENANTS = { tenant: { type: 'string', multiple: true } } as const;

function tenantList(given: string[] | undefined, usage: string): string[] {
  if (!given || given.length === 0) throw new UsageError(`--tenant is missing\nusage: ${usage}`);
  return given;
}

async function add(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-hq site add INSTANCE --tenant T [--tenant T2 ...]';
  const { values, positionals } = readArguments(argv, TENANTS, { min: 1, max: 1, usage });
  const instance = positionals[0] ?? '';
  const key = await api.call<Issued>('POST', '/api/core/sites', {
    instance,
    tenants: tenantList(values.tenant, usage),
  });
  terminal.out(`The key of ${instance}, shown this once. Keep it at the site in a file that only the site program reads:

  ${key.keyId}:${key.secret}

and set there

  CORE_INSTANCE=${instance}
  CORE_UPLINK_URL=<address of this hub>
  CORE_UPLINK_KEY_REF=file:<path of that file>
`);
  return 0;
}

async function list(argv: string[], { api, terminal }: Context): Promise<number> {
  readArguments(argv, {}, { min: 0, max: 0, usage: 'fieldline-hq site list' });
  const { items } = await api.call<{ items: SiteView[] }>('GET', '/api/core/sites');
  terminal.out(
    items.length === 0
      ? 'No site is registered; add one with: fieldline-hq site add\n'
      : renderTable(
          ['INSTANCE', 'TENANTS', 'KEYS', 'SINCE'],
          items.map((site) => [
            site.instance,
            site.tenants.join(', '),
            site.keys.map((key) => key.keyId).join(', ') || '-',
            site.createdAt,
          ]),
        ),
  );
  return 0;
}

async function tenants(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-hq site tenants INSTANCE --tenant T [--tenant T2 ...]';
  const { values, positionals } = readArguments(argv, TENANTS, { min: 1, max: 1, usage });
  const wanted = tenantList(values.tenant, usage);
  await api.call('PATCH', `/api/core/sites/${encodeURIComponent(positionals[0] ?? '')}`, { tenants: wanted });
  terminal.out(`${positionals[0]} may bring events of: ${wanted.join(', ')}\n`);
  return 0;
}

async function continues(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-hq site continue INSTANCE --before NAME [--before NAME2 ...]';
  const { values, positionals } = readArguments(
    argv,
    { before: { type: 'string', multiple: true } } as const,
    { min: 1, max: 1, usage },
  );
  if (!values.before || values.before.length === 0)
    throw new UsageError(`--before is missing\nusage: ${usage}`);
  await api.call('PATCH', `/api/core/sites/${encodeURIComponent(positionals[0] ?? '')}`, {
    continues: values.before,
  });
  terminal.out(
    `${positionals[0]} goes on with what ${values.before.join(', ')} was: those events are its own. ` +
      `What it had parked can be replayed there.\n`,
  );
  return 0;
}

async function rotate(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-hq site rotate INSTANCE KEY [--overlap-hours H]';
  const { values, positionals } = readArguments(
    argv,
    { 'overlap-hours': { type: 'string' } },
    { min: 2, max: 2, usage },
  );
  const hours = values['overlap-hours'] === undefined ? undefined : Number(values['overlap-hours']);
  if (hours !== undefined && !Number.isFinite(hours))
    throw new UsageError(`--overlap-hours must be a number\nusage: ${usage}`);
  const [instance, keyId] = positionals.map(encodeURIComponent);
  const key = await api.call<Issued>(
    'POST',
    `/api/core/sites/${instance}/keys/${keyId}/rotate`,
    hours === undefined ? {} : { overlap_hours: hours },
  );
  terminal.out(`${key.keyId}:${key.secret}\nThe old secret works on for ${hours ?? 24} hours.\n`);
  return 0;
}

async function remove(argv: string[], { api, terminal }: Context): Promise<number> {
  const { positionals } = readArguments(
    argv,
    {},
    { min: 1, max: 1, usage: 'fieldline-hq site remove INSTANCE' },
  );
  await api.call('DELETE', `/api/core/sites/${encodeURIComponent(positionals[0] ?? '')}`);
  terminal.out(`${positionals[0]} is removed; its uplink is refused from now on. What it brought stays.\n`);
  return 0;
}
