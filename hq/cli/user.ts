import { sayer } from '../../common/message.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { columns, renderTable } from '../../common/terminal/table.ts';
import type { HubContext } from './context.ts';
import { userMessages } from './user-messages.ts';

interface UserView {
  name: string;
  role: 'operator' | 'customer';
  tenantCode: string | null;
  permissions: string[];
  limited: boolean;
  disabledAt: string | null;
}

interface Added {
  name: string;
  role: 'operator' | 'customer';
  tenant: string | undefined;
  permission: string[] | undefined;
  'password-stdin': boolean;
}

/** `user add`: asks for the password, or reads it from standard input. */
export async function addUser(
  { name, role, tenant, permission, 'password-stdin': piped }: Added,
  context: HubContext,
): Promise<number> {
  const w = sayer(userMessages, context.language);
  if (role === 'customer' && !tenant) throw new UsageError(w('noTenant'));
  const user = await context.api.call<UserView>('POST', '/api/core/users', {
    name,
    role,
    tenant_code: tenant,
    permissions: permission,
    password: await passwordFrom(piped, context),
  });
  const as = { name: user.name, role: w(`roles_${user.role}`) };
  const added = user.tenantCode === null ? w('added', as) : w('addedOf', { ...as, tenant: user.tenantCode });
  context.terminal.out(`${added}\n`);
  return EXIT.well;
}

/** `user list`. */
export async function listUsers(
  { json }: { json: boolean },
  { api, terminal, language }: HubContext,
): Promise<number> {
  const w = sayer(userMessages, language);
  const items = await everyUser(api);
  const rows = items.map((user) => [
    user.name,
    w(`roles_${user.role}`),
    user.tenantCode ?? w('allTenants'),
    user.disabledAt === null ? w('enabled') : w('disabled'),
    user.limited ? user.permissions.join(', ') : w('ofRole'),
  ]);
  if (json) terminal.out(`${JSON.stringify({ items })}\n`);
  else terminal.out(rows.length === 0 ? `${w('none')}\n` : renderTable(columns(w('head')), rows));
  return EXIT.well;
}

async function everyUser(api: HubContext['api']): Promise<UserView[]> {
  const users: UserView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await api.call<{ items: UserView[]; nextCursor: string | null }>(
      'GET',
      `/api/core/users?limit=1000${from}`,
    );
    users.push(...page.items);
    cursor = page.nextCursor;
  }
  return users;
}

/** `user disable` and `user enable`. */
export async function setDisabled(
  name: string,
  disabled: boolean,
  { api, terminal, language }: HubContext,
): Promise<number> {
  const w = sayer(userMessages, language);
  const user = await api.call<UserView>('PATCH', pathOf(name), { disabled });
  terminal.out(
    `${disabled ? w('nowDisabled', { name: user.name }) : w('nowEnabled', { name: user.name })}\n`,
  );
  return EXIT.well;
}

/** `user emergency`. */
export async function setEmergency(
  name: string,
  emergency: boolean,
  { api, terminal, language }: HubContext,
): Promise<number> {
  const user = await api.call<UserView>('PATCH', pathOf(name), { emergency });
  const w = sayer(userMessages, language);
  terminal.out(`${w(emergency ? 'nowEmergency' : 'noEmergency', { name: user.name })}\n`);
  return EXIT.well;
}

/** `user password`. */
export async function changePassword(
  { name, 'password-stdin': piped }: { name: string; 'password-stdin': boolean },
  context: HubContext,
): Promise<number> {
  const password = await passwordFrom(piped, context);
  const user = await context.api.call<UserView>('PATCH', pathOf(name), { password });
  context.terminal.out(`${sayer(userMessages, context.language)('newPassword', { name: user.name })}\n`);
  return EXIT.well;
}

const passwordFrom = (piped: boolean, { passwords }: HubContext): Promise<string> =>
  piped ? passwords.read() : passwords.ask();

const pathOf = (name: string): string => `/api/core/users/${encodeURIComponent(name)}`;
