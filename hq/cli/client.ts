import { sayer } from '../../common/message.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { localTime } from '../../common/terminal/local-time.ts';
import { columns, renderTable } from '../../common/terminal/table.ts';
import { clientMessages } from './client-messages.ts';
import type { HubContext } from './context.ts';

interface ClientView {
  client_id: string;
  tenantCode: string;
  name: string;
  status: 'enabled' | 'disabled';
  lastUsedAt: string | null;
  heldUp: { ip: string; until: string }[];
}

const PATH = '/api/integration/clients';

/** `client list`. */
export async function listClients(
  { tenant, json }: { tenant: string | undefined; json: boolean },
  { api, terminal, language }: HubContext,
): Promise<number> {
  const w = sayer(clientMessages, language);
  const items: ClientView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({
      limit: '500',
      ...(tenant === undefined ? {} : { tenant_code: tenant }),
      ...(cursor === '' ? {} : { cursor }),
    });
    const page: { items: ClientView[]; nextCursor: string | null } = await api.call(
      'GET',
      `${PATH}?${query}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  if (json) {
    terminal.out(`${JSON.stringify({ items })}\n`);
    return EXIT.well;
  }
  const rows = items.map((one) => [
    one.client_id,
    one.name,
    one.tenantCode,
    w(`status_${one.status}`),
    one.lastUsedAt === null ? w('never') : localTime(one.lastUsedAt),
    one.heldUp.map(({ ip, until }) => w('until', { ip, time: localTime(until) })).join(', '),
  ]);
  terminal.out(rows.length === 0 ? `${w('none')}\n` : renderTable(columns(w('head')), rows));
  return EXIT.well;
}

/** `client enable`: also lifts what was refused after wrong secrets. */
export async function enableClient(
  { client }: { client: string },
  { api, terminal, language }: HubContext,
): Promise<number> {
  const { name } = await api.call<ClientView>('PATCH', `${PATH}/${encodeURIComponent(client)}`, {
    status: 'enabled',
  });
  terminal.out(`${sayer(clientMessages, language)('enabled', { name })}\n`);
  return EXIT.well;
}
