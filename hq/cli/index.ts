import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';

interface IndexView {
  state: string;
  building: boolean;
  changeNo: number | null;
  documents: number | null;
  chunks: number | null;
  vectors: number | null;
  bytes: number | null;
  lastBuild: { at: string; ms: number; reason: string } | null;
  lastError: string | null;
}

const POLL_MS = 500;

/** `index status|rebuild`: the search index of the running hub process. */
export async function indexCommand(
  argv: string[],
  { api, terminal }: { api: ApiClient; terminal: Terminal },
): Promise<number> {
  const [action, ...rest] = argv;
  if (action !== 'status' && action !== 'rebuild')
    throw new UsageError('usage: fieldline-hq index status|rebuild');
  readArguments(rest, {}, { min: 0, max: 0, usage: `fieldline-hq index ${action}` });
  const read = (): Promise<IndexView> => api.call<IndexView>('GET', '/api/core/kb/index');
  let view =
    action === 'rebuild' ? await api.call<IndexView>('POST', '/api/core/kb/index/rebuild') : await read();
  while (action === 'rebuild' && view.building) {
    await pause(POLL_MS);
    view = await read();
  }
  terminal.out(shown(view));
  return view.state === 'failed' || view.lastError !== null ? 1 : 0;
}

function shown(view: IndexView): string {
  const facts =
    view.chunks === null
      ? ''
      : `${view.documents} files in force, ${view.chunks} chunks, ${view.vectors} vectors, ` +
        `${((view.bytes ?? 0) / 1e6).toFixed(1)} MB, change ${view.changeNo}\n`;
  const built = view.lastBuild
    ? `made ${view.lastBuild.at} in ${view.lastBuild.ms} ms: ${view.lastBuild.reason}\n`
    : '';
  return `${view.state}${view.building ? ', being made' : ''}\n${facts}${built}${view.lastError === null ? '' : `last error: ${view.lastError}\n`}`;
}
