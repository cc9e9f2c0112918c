import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { commandMessages } from './command-messages.ts';
import type { Language } from '../../common/message.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  language: Language;
}

/** `alarms clear KEY`: one that a person has dealt with; `status` lists those that stand. */
export async function alarmsCommand(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = commandMessages[language];
  const usage = 'fieldline-site alarms clear KEY --by NAME [--note TEXT]';
  const [action, ...rest] = argv;
  if (action !== 'clear') throw new UsageError(`usage: ${usage}`);
  const { values, positionals } = readArguments(
    rest,
    { by: { type: 'string' }, note: { type: 'string' } },
    { min: 1, max: 1, usage },
  );
  const [key = ''] = positionals;
  await api.call('POST', '/api/core/alarms/clear', {
    key,
    by: required(values.by, '--by', usage, w.missing),
    ...(values.note === undefined ? {} : { note: values.note }),
  });
  terminal.out(`${w.cleared(key)}\n`);
  return 0;
}
