import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';

/** `alarms clear KEY`: one that a person has dealt with; `status` lists those that stand. */
export async function alarmsCommand(argv: string[], { api, terminal }: { api: ApiClient; terminal: Terminal }): Promise<number> {
  const usage = 'fieldline-site alarms clear KEY --by NAME [--note TEXT]';
  const [action, ...rest] = argv;
  if (action !== 'clear') throw new UsageError(`usage: ${usage}`);
  const { values, positionals } = readArguments(rest, { by: { type: 'string' }, note: { type: 'string' } }, { min: 1, max: 1, usage });
  const [key = ''] = positionals;
  await api.call('POST', '/api/core/alarms/clear', { key, by: required(values.by, '--by', usage), ...(values.note === undefined ? {} : { note: values.note }) });
  terminal.out(`${key} no longer stands. If its cause is still there it comes again.\n`);
  return 0;
}
