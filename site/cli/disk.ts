import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { commandMessages } from './command-messages.ts';
import type { Language } from '../../common/message.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  language: Language;
}

/** `disk confirm`: a further half of what is kept may go, after the guard of a short disk has stopped. */
export async function diskCommand(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = commandMessages[language];
  const usage = 'fieldline-site disk confirm --by NAME [--note TEXT]';
  const [action, ...rest] = argv;
  if (action !== 'confirm') throw new UsageError(`usage: ${usage}`);
  const { values } = readArguments(
    rest,
    { by: { type: 'string' }, note: { type: 'string' } },
    { min: 0, max: 0, usage },
  );
  await api.call('POST', '/api/core/disk/confirm', {
    by: required(values.by, '--by', usage, w.missing),
    ...(values.note === undefined ? {} : { note: values.note }),
  });
  terminal.out(`${w.confirmed}\n`);
  return 0;
}
