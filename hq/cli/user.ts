import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { renderTable } from '../../common/terminal/table.ts';
import { standardPasswords, type PasswordSource } from './password.ts';

export interface UserContext {
  api: ApiClient;
  terminal: Terminal;
  passwords?: PasswordSource;
}

interface UserView {
  name: string;
  role: 'operator' | 'customer';
  tenantCode: string | null;
  permissions: string[];
  limited: boolean;
  disabledAt: string | null;
}

const USAGE = {
  add:
    'fieldline-hq user add NAME --role operator | --role customer --tenant T [--permission P ...] ' +
    '[--password-stdin]',
  list: 'fieldline-hq user list',
  disable: 'fieldline-hq user disable NAME',
  enable: 'fieldline-hq user enable NAME',
  password: 'fieldline-hq user password NAME [--password-stdin]',
};

/** `user add|list|disable|enable|password`: who may log in at headquarters. @returns the exit code */
export async function userCommand(argv: string[], context: UserContext): Promise<number> {
  const [action, ...rest] = argv;
  switch (action) {
    case 'add':
      return add(rest, context);
    case 'list':
      return list(rest, context);
    case 'disable':
      return setDisabled(rest, context, true);
    case 'enable':
      return setDisabled(rest, context, false);
    case 'password':
      return password(rest, context);
    default:
      throw new UsageError('usage: fieldline-hq user add|list|disable|enable|password');
  }
}

const PASSWORD_STDIN = { 'password-stdin': { type: 'boolean' } } as const;

async function add(argv: string[], context: UserContext): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      ...PASSWORD_STDIN,
      role: { type: 'string' },
      tenant: { type: 'string' },
      permission: { type: 'string', multiple: true },
    },
    { min: 1, max: 1, usage: USAGE.add },
  );
  const role = required(values.role, '--role', USAGE.add);
  if (role === 'customer') required(values.tenant, '--tenant', USAGE.add);
  const user = await context.api.call<UserView>('POST', '/api/core/users', {
    name: positionals[0],
    role,
    ...(values.tenant === undefined ? {} : { tenant_code: values.tenant }),
    ...(values.permission === undefined ? {} : { permissions: values.permission }),
    password: await passwordFor(context, values['password-stdin']),
  });
  context.terminal.out(
    `${user.name} may log in as ${user.role}${user.tenantCode === null ? '' : ` of ${user.tenantCode}`}.\n`,
  );
  return 0;
}

async function list(argv: string[], { api, terminal }: UserContext): Promise<number> {
  readArguments(argv, {}, { min: 0, max: 0, usage: USAGE.list });
  const { items } = await api.call<{ items: UserView[] }>('GET', '/api/core/users');
  const rows = items.map((user) => [
    user.name,
    user.role,
    user.tenantCode ?? 'all',
    user.disabledAt === null ? 'yes' : 'disabled',
    user.limited ? user.permissions.join(', ') : 'of the role',
  ]);
  terminal.out(
    items.length === 0
      ? 'There is no user; add one with: fieldline-hq user add\n'
      : renderTable(['NAME', 'ROLE', 'TENANT', 'ENABLED', 'PERMISSIONS'], rows),
  );
  return 0;
}

async function setDisabled(
  argv: string[],
  { api, terminal }: UserContext,
  disabled: boolean,
): Promise<number> {
  const { positionals } = readArguments(
    argv,
    {},
    { min: 1, max: 1, usage: disabled ? USAGE.disable : USAGE.enable },
  );
  const user = await api.call<UserView>('PATCH', pathOf(positionals[0]), { disabled });
  terminal.out(
    disabled ? `${user.name} may no longer log in; the sessions have ended.\n` : `${user.name} may log in.\n`,
  );
  return 0;
}

async function password(argv: string[], context: UserContext): Promise<number> {
  const { values, positionals } = readArguments(argv, PASSWORD_STDIN, {
    min: 1,
    max: 1,
    usage: USAGE.password,
  });
  const wanted = await passwordFor(context, values['password-stdin']);
  const user = await context.api.call<UserView>('PATCH', pathOf(positionals[0]), { password: wanted });
  context.terminal.out(`${user.name} has a new password; the sessions have ended.\n`);
  return 0;
}

function passwordFor(
  { passwords = standardPasswords }: UserContext,
  piped: boolean | undefined,
): Promise<string> {
  return piped ? passwords.read() : passwords.ask();
}

const pathOf = (name: string | undefined): string => `/api/core/users/${encodeURIComponent(name ?? '')}`;
