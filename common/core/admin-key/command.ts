import { sayer } from '../../message.ts';
import type { ApiClient } from '../../terminal/api.ts';
import type { Terminal } from '../../terminal/command.ts';
import {
  type Command,
  commandsFor,
  JSON_OPTION,
  OVERLAP_HOURS,
  type PositionalSpec,
} from '../../terminal/command-table.ts';
import { EXIT } from '../../terminal/exit.ts';
import { columns, renderTable } from '../../terminal/table.ts';
import { adminKeyMessages } from './admin-key-messages.ts';

export interface AdminKeyContext {
  readonly api: ApiClient;
  readonly terminal: Terminal;
  readonly language: 'en' | 'zh';
  /** A time as it is shown to the person at the terminal. */
  time: (rfc3339: string) => string;
}

interface Issued {
  name: string;
  secret: string;
}

interface KeyView {
  name: string;
  configured: boolean;
  createdAt: string;
  previousSecretUntil: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

const PATH = '/api/core/admin_keys';
const pathOf = (name: string): string => `${PATH}/${encodeURIComponent(name)}`;
const NAME = {
  value: 'NAME',
  summary: { en: 'name of the key', zh: '密钥名称' },
} as const satisfies PositionalSpec;

/** `admin-key add|list|rotate|remove`: the named admin keys of a running program. */
export function adminKeyCommands<Context extends AdminKeyContext>(): Command<Context>[] {
  const command = commandsFor<Context>();
  return [
    command({
      name: 'admin-key add',
      summary: {
        en: 'make a further admin key, for one holder or program; it is shown once',
        zh: '新建一个管理密钥，供一人或一个程序使用，只显示一次',
      },
      positionals: { name: NAME },
      run: async ({ name }, { api, terminal, language }) => {
        const key = await api.call<Issued>('POST', PATH, { name });
        terminal.out(sayer(adminKeyMessages, language)('made', { name: key.name, secret: key.secret }));
        return EXIT.well;
      },
    }),
    command({
      name: 'admin-key list',
      summary: { en: 'list the admin keys with their last use', zh: '列出管理密钥及其最近使用情况' },
      options: { json: JSON_OPTION },
      looks: true,
      run: ({ json }, context) => list(json, context),
    }),
    command({
      name: 'admin-key rotate',
      summary: { en: 'give a key a new secret; it is shown once', zh: '更换密钥，只显示一次' },
      positionals: { name: NAME },
      options: { 'overlap-hours': OVERLAP_HOURS },
      run: async ({ name, 'overlap-hours': hours }, { api, terminal, language }) => {
        const w = sayer(adminKeyMessages, language);
        const body = hours === undefined ? {} : { overlap_hours: hours };
        const key = await api.call<Issued>('POST', `${pathOf(name)}/rotate`, body);
        const before = hours === 0 ? w('ended') : w('overlap', { hours: hours ?? 24 });
        terminal.out(`${w('made', { name: key.name, secret: key.secret })}\n${before}\n`);
        return EXIT.well;
      },
    }),
    command({
      name: 'admin-key remove',
      summary: { en: 'withdraw a key; it stops working at once', zh: '撤销密钥，立即失效' },
      positionals: { name: NAME },
      run: async ({ name }, { api, terminal, language }) => {
        await api.call('DELETE', pathOf(name));
        terminal.out(sayer(adminKeyMessages, language)('removed', { name }));
        return EXIT.well;
      },
    }),
  ];
}

async function list(json: boolean, { api, terminal, language, time }: AdminKeyContext): Promise<number> {
  const w = sayer(adminKeyMessages, language);
  const { items } = await api.call<{ items: KeyView[] }>('GET', PATH);
  const timeOr = (at: string | null, none: string): string => (at === null ? none : time(at));
  const rows = items.map((key) => [
    key.name,
    key.configured ? w('configured') : time(key.createdAt),
    timeOr(key.lastUsedAt, w('never')),
    key.lastUsedFrom ?? '-',
    timeOr(key.previousSecretUntil, '-'),
  ]);
  if (json) terminal.out(`${JSON.stringify({ items })}\n`);
  else terminal.out(rows.length === 0 ? `${w('none')}\n` : renderTable(columns(w('head')), rows));
  return EXIT.well;
}
