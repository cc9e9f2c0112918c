import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, required, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { renderTable } from '../../common/terminal/table.ts';
import { localTime } from './local-time.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
}

interface ParkedView {
  channel: string;
  originId: number;
  state: string;
  error: string;
  message: string;
  count: number;
  lastAt: string;
}

/** `parked list|show|replay|discard`: what headquarters refused. */
export async function parkedCommand(argv: string[], context: Context): Promise<number> {
  const [action, ...rest] = argv;
  switch (action) {
    case 'list': return list(rest, context);
    case 'show': return show(rest, context);
    case 'replay': return replay(rest, context);
    case 'discard': return discard(rest, context);
    default: throw new UsageError('usage: fieldline-site parked list|show|replay|discard');
  }
}

async function list(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-site parked list [--channel events|verdicts] [--all]';
  const { values } = readArguments(argv, { channel: { type: 'string' }, all: { type: 'boolean' } }, { min: 0, max: 0, usage });
  const query = new URLSearchParams({ limit: '1000', state: values.all ? 'all' : 'parked', ...(values.channel ? { channel: values.channel } : {}) });
  const { items, hasMore } = await api.call<{ items: ParkedView[]; hasMore: boolean }>('GET', `/api/core/uplink/parked?${query}`);
  const rows = items.map((item) => [item.channel, String(item.originId), item.state, String(item.count), localTime(item.lastAt), item.error, item.message]);
  terminal.out(rows.length === 0 ? 'Nothing is parked.\n' : renderTable(['CHANNEL', 'ID', 'STATE', 'TIMES', 'LAST', 'ERROR', 'REASON'], rows));
  if (hasMore) terminal.out('… and more\n');
  return 0;
}

async function show(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-site parked show events|verdicts ID';
  const { positionals } = readArguments(argv, {}, { min: 2, max: 2, usage });
  const [channel = '', word = ''] = positionals;
  const id = wholeNumber(word, usage);
  const query = new URLSearchParams({ channel, state: 'all', limit: '1000' });
  const { items } = await api.call<{ items: (ParkedView & { firstAt: string })[] }>('GET', `/api/core/uplink/parked?${query}`);
  const item = items.find(({ originId }) => originId === id);
  if (!item) throw new UsageError(`no item ${id} of ${channel} is or was parked`);
  terminal.out(`${channel} ${id}: ${item.state}\nrefused   ${item.count === 1 ? `once, ${localTime(item.lastAt)}` : `${item.count} times, first ${localTime(item.firstAt)}, last ${localTime(item.lastAt)}`}\nreason    ${item.error}: ${item.message}\n`);
  if (channel === 'events') terminal.out(`\n${JSON.stringify(await api.call<unknown>('GET', `/api/core/events/${id}`), null, 2)}\n`);
  return 0;
}

async function replay(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-site parked replay [--channel events|verdicts [ID ...]]';
  const { values, positionals } = readArguments(argv, { channel: { type: 'string' } }, { min: 0, max: 1000, usage });
  const ids = positionals.map((word) => wholeNumber(word, usage));
  const result = await api.call<{ replayed: unknown[]; refused: { channel: string; originId: number; error: string; message: string }[] }>(
    'POST', '/api/core/uplink/parked/replay', { ...(values.channel ? { channel: values.channel } : {}), ...(ids.length > 0 ? { origin_ids: ids } : {}) });
  terminal.out(`${result.replayed.length} taken by headquarters, ${result.refused.length} refused again\n`);
  if (result.refused.length > 0) {
    terminal.out(renderTable(['CHANNEL', 'ID', 'ERROR', 'REASON'], result.refused.map((item) => [item.channel, String(item.originId), item.error, item.message])));
  }
  return result.refused.length > 0 ? 1 : 0;
}

async function discard(argv: string[], { api, terminal }: Context): Promise<number> {
  const usage = 'fieldline-site parked discard CHANNEL ID --by NAME';
  const { values, positionals } = readArguments(argv, { by: { type: 'string' } }, { min: 2, max: 2, usage });
  const body = { channel: positionals[0], origin_id: wholeNumber(positionals[1] ?? '', usage), by: required(values.by, '--by', usage) };
  await api.call('POST', '/api/core/uplink/parked/discard', body);
  terminal.out(`Given up: ${positionals[0]} ${positionals[1]}. The audit keeps who decided so.\n`);
  return 0;
}

function wholeNumber(word: string, usage: string): number {
  if (!/^\d{1,15}$/.test(word)) throw new UsageError(`${word} is not an id\nusage: ${usage}`);
  return Number(word);
}
