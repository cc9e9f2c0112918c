import { sayer } from '../../common/message.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { localTime } from '../../common/terminal/local-time.ts';
import { columns, displayWidth, renderTable } from '../../common/terminal/table.ts';
import type { SiteContext } from './context.ts';
import { type ParkedMessages, parkedMessages } from './parked-messages.ts';

type Channel = 'events' | 'verdicts';

interface ParkedView {
  channel: string;
  originId: number;
  state: 'parked' | 'replayed' | 'discarded';
  error: string;
  message: string;
  count: number;
  lastAt: string;
}

/** `parked list`: what headquarters refused, with the reason. */
export async function listParked(
  { channel, all, json }: { channel: Channel | undefined; all: boolean; json: boolean },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(parkedMessages, language);
  const query = new URLSearchParams({
    limit: '1000',
    state: all ? 'all' : 'parked',
    ...(channel ? { channel } : {}),
  });
  const { items, hasMore } = await api.call<{ items: ParkedView[]; hasMore: boolean }>(
    'GET',
    `/api/core/uplink/parked?${query}`,
  );
  const rows = items.map((item) => [
    item.channel,
    String(item.originId),
    w(`states_${item.state}`),
    String(item.count),
    localTime(item.lastAt),
    item.error,
    item.message,
  ]);
  if (json) terminal.out(`${JSON.stringify({ items, hasMore })}\n`);
  else {
    terminal.out(rows.length === 0 ? `${w('nothing')}\n` : renderTable(columns(w('head')), rows));
    if (hasMore) terminal.out(`${w('more')}\n`);
  }
  return EXIT.well;
}

/** `parked show`: one item, and the event that it is about. */
export async function showParked(
  { channel, id: word, json }: { channel: Channel; id: string; json: boolean },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(parkedMessages, language);
  const id = wholeNumber(word, w);
  const query = new URLSearchParams({ channel, state: 'all', limit: '1000' });
  const { items } = await api.call<{ items: (ParkedView & { firstAt: string })[] }>(
    'GET',
    `/api/core/uplink/parked?${query}`,
  );
  const item = items.find(({ originId }) => originId === id);
  if (!item) throw new UsageError(w('noItem', { id, channel }));
  const event = channel === 'events' ? await api.call<unknown>('GET', `/api/core/events/${id}`) : null;
  if (json) {
    terminal.out(`${JSON.stringify({ ...item, event })}\n`);
    return EXIT.well;
  }
  const when =
    item.count === 1
      ? w('once', { last: localTime(item.lastAt) })
      : w('times', { count: item.count, first: localTime(item.firstAt), last: localTime(item.lastAt) });
  terminal.out(
    [
      `${channel} ${id}${w('colon')}${w(`states_${item.state}`)}`,
      `${label(w('refused'))}${when}`,
      `${label(w('reason'))}${item.error}: ${item.message}`,
      ...(event === null ? [] : ['', JSON.stringify(event, null, 2)]),
      '',
    ].join('\n'),
  );
  return EXIT.well;
}

/** `parked replay`: sends it again. */
export async function replayParked(
  { channel, ids: words }: { channel: Channel | undefined; ids: string[] },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(parkedMessages, language);
  const ids = words.map((word) => wholeNumber(word, w));
  const result = await api.call<{
    replayed: unknown[];
    refused: { channel: string; originId: number; error: string; message: string }[];
  }>('POST', '/api/core/uplink/parked/replay', {
    ...(channel ? { channel } : {}),
    ...(ids.length > 0 ? { origin_ids: ids } : {}),
  });
  terminal.out(`${w('replayed', { taken: result.replayed.length, refused: result.refused.length })}\n`);
  if (result.refused.length === 0) return EXIT.well;
  const rows = result.refused.map((item) => [item.channel, String(item.originId), item.error, item.message]);
  terminal.out(renderTable(columns(w('refusedHead')), rows));
  return EXIT.look;
}

/** `parked discard`: gives one item up. */
export async function discardParked(
  { channel, id, by }: { channel: Channel; id: string; by: string },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(parkedMessages, language);
  await api.call('POST', '/api/core/uplink/parked/discard', { channel, origin_id: wholeNumber(id, w), by });
  terminal.out(`${w('discarded', { channel, id })}\n`);
  return EXIT.well;
}

const label = (word: string): string => word + ' '.repeat(10 - displayWidth(word));

function wholeNumber(word: string, w: ParkedMessages): number {
  if (!/^\d{1,15}$/.test(word)) throw new UsageError(w('noId', { word }));
  return Number(word);
}
