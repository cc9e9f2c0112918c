import { sayer } from '../../common/message.ts';
import { size } from '../../common/terminal/amounts.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { displayWidth } from '../../common/terminal/table.ts';
import type { SiteFacts } from '../status/schema.ts';
import { commandMessages } from './command-messages.ts';
import type { SiteContext } from './context.ts';
import { diskText } from './status/lines.ts';

const EXITS = { ok: EXIT.well, short: EXIT.look, full: EXIT.bad };

/** `disk status`: what room there is, and what was deleted for lack of it. */
export async function showDisk(
  { json }: { json: boolean },
  { api, terminal, language, time }: SiteContext,
): Promise<number> {
  const { disk } = await api.call<SiteFacts>('GET', '/api/core/site/status');
  if (json) {
    terminal.out(`${JSON.stringify(disk)}\n`);
    return EXITS[disk.level];
  }
  const w = sayer(commandMessages, language);
  const rows = [
    [w('state'), w(`level_${disk.level}`)],
    [w('room'), `${size(disk.roomBytes)} / ${size(disk.capacityBytes)}`],
    [w('store'), size(disk.dbBytes + disk.walBytes)],
    [w('reserve'), size(disk.reserveBytes)],
    [w('told'), diskText(disk, language)],
    ...(disk.guardSince === null
      ? []
      : [[w('waits'), `${time(disk.guardSince)}: fieldline-site disk confirm`]]),
  ];
  const width = Math.max(...rows.map(([name = '']) => displayWidth(name)));
  for (const [name = '', text = ''] of rows)
    terminal.out(`${name}${' '.repeat(width - displayWidth(name))}  ${text}\n`);
  return EXITS[disk.level];
}

/** `disk confirm`: a further half of what is kept may go, after the guard of a short disk has stopped. */
export async function confirmDisk(
  { by, note }: { by: string; note: string | undefined },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  await api.call('POST', '/api/core/disk/confirm', { by, note });
  terminal.out(`${sayer(commandMessages, language)('confirmed')}\n`);
  return EXIT.well;
}
