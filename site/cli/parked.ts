import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { displayWidth, renderTable } from '../../common/terminal/table.ts';
import { commandMessages } from './command-messages.ts';
import { localTime } from './local-time.ts';
import { parkedMessages, type ParkedMessages } from './parked-messages.ts';
import type { Language } from '../../common/message.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  language: Language;
}

interface ParkedView {
  channel: string;
  originId: number;
  state: 'parked' | 'replayed' | 'discarded';
  error: string;
  message: string;
  count: number;
  lastAt: string;
}

/** `parked list|show|replay|discard`: what headquarters refused. */
export async function parkedCommand(argv: string[], context: Context): Promise<number> {
  const [action, ...rest] = argv;
  switch (action) {
    case 'list':
      return list(rest, context);
    case 'show':
      return show(rest, context);
    case 'replay':
      return replay(rest, context);
    case 'discard':
      return discard(rest, context);
    default:
      throw new UsageError('usage: fieldline-site parked list|show|replay|discard');
  }
}

async function list(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = parkedMessages[language];
  const usage = 'fieldline-site parked list [--channel events|verdicts] [--all]';
  const { values } = readArguments(
    argv,
    { channel: { type: 'string' }, all: { type: 'boolean' } },
    { min: 0, max: 0, usage },
  );
  const query = new URLSearchParams({
    limit: '1000',
    state: values.all ? 'all' : 'parked',
    ...(values.channel ? { channel: values.channel } : {}),
  });
  const { items, hasMore } = await api.call<{ items: ParkedView[]; hasMore: boolean }>(
    'GET',
    `/api/core/uplink/parked?${query}`,
  );
  const rows = items.map((item) => [
    item.channel,
    String(item.originId),
    w.states[item.state],
    String(item.count),
    localTime(item.lastAt),
    item.error,
    item.message,
  ]);
  terminal.out(rows.length === 0 ? `${w.nothing}\n` : renderTable(w.head, rows));
  if (hasMore) terminal.out(`${w.more}\n`);
  return 0;
}

async function show(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = parkedMessages[language];
  const usage = 'fieldline-site parked show events|verdicts ID';
  const { positionals } = readArguments(argv, {}, { min: 2, max: 2, usage });
  const [channel = '', word = ''] = positionals;
  const id = wholeNumber(word, usage, w);
  const query = new URLSearchParams({ channel, state: 'all', limit: '1000' });
  const { items } = await api.call<{ items: (ParkedView & { firstAt: string })[] }>(
    'GET',
    `/api/core/uplink/parked?${query}`,
  );
  const item = items.find(({ originId }) => originId === id);
  if (!item) throw new UsageError(w.noItem(id, channel));
  const when =
    item.count === 1
      ? w.once(localTime(item.lastAt))
      : w.times(item.count, localTime(item.firstAt), localTime(item.lastAt));
  terminal.out(
    `${channel} ` +
      `${id}${w.colon}${w.states[item.state]}\n${label(w.refused)}${when}\n${label(w.reason)}${item.error}: ` +
      `${item.message}\n`,
  );
  if (channel === 'events')
    terminal.out(`\n${JSON.stringify(await api.call<unknown>('GET', `/api/core/events/${id}`), null, 2)}\n`);
  return 0;
}

async function replay(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = parkedMessages[language];
  const usage = 'fieldline-site parked replay [--channel events|verdicts [ID ...]]';
  const { values, positionals } = readArguments(
    argv,
    { channel: { type: 'string' } },
    { min: 0, max: 1000, usage },
  );
  const ids = positionals.map((word) => wholeNumber(word, usage, w));
  const result = await api.call<{
    replayed: unknown[];
    refused: { channel: string; originId: number; error: string; message: string }[];
  }>('POST', '/api/core/uplink/parked/replay', {
    ...(values.channel ? { channel: values.channel } : {}),
    ...(ids.length > 0 ? { origin_ids: ids } : {}),
  });
  terminal.out(`${w.replayed(result.replayed.length, result.refused.length)}\n`);
  if (result.refused.length > 0) {
    terminal.out(
      renderTable(
        w.refusedHead,
        result.refused.map((item) => [item.channel, String(item.originId), item.error, item.message]),
      ),
    );
  }
  return result.refused.length > 0 ? 1 : 0;
}

async function discard(argv: string[], { api, terminal, language }: Context): Promise<number> {
  const w = parkedMessages[language];
  const usage = 'fieldline-site parked discard CHANNEL ID --by NAME';
  const { values, positionals } = readArguments(argv, { by: { type: 'string' } }, { min: 2, max: 2, usage });
  const body = {
    channel: positionals[0],
    origin_id: wholeNumber(positionals[1] ?? '', usage, w),
    by: required(values.by, '--by', usage, commandMessages[language].missing),
  };
  await api.call('POST', '/api/core/uplink/parked/discard', body);
  terminal.out(`${w.discarded(positionals[0] ?? '', positionals[1] ?? '')}\n`);
  return 0;
}

const label = (word: string): string => word + ' '.repeat(10 - displayWidth(word));

function wholeNumber(word: string, usage: string, w: ParkedMessages): number {
  if (!/^\d{1,15}$/.test(word)) throw new UsageError(`${w.noId(word)}\nusage: ${usage}`);
  return Number(word);
}
