import { setTimeout as pause } from 'node:timers/promises';
import { type Language, sayer, wordFor } from '../../common/message.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import type { HubContext } from './context.ts';
import { libraryMessages } from './library-messages.ts';

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

type Context = Pick<HubContext, 'api' | 'terminal' | 'language'>;

const POLL_MS = 500;

const read = ({ api }: Context): Promise<IndexView> => api.call<IndexView>('GET', '/api/core/kb/index');

/** `index status`: the search index of the running hub process. */
export async function showIndex({ json }: { json: boolean }, context: Context): Promise<number> {
  return told(await read(context), json, context);
}

/** `index rebuild`: makes it anew, and waits for that. */
export async function rebuildIndex({ json }: { json: boolean }, context: Context): Promise<number> {
  let view = await context.api.call<IndexView>('POST', '/api/core/kb/index/rebuild');
  while (view.building) {
    await pause(POLL_MS);
    view = await read(context);
  }
  return told(view, json, context);
}

function told(view: IndexView, json: boolean, { terminal, language }: Context): number {
  terminal.out(json ? `${JSON.stringify(view)}\n` : shown(view, language));
  return view.state === 'failed' || view.lastError !== null ? EXIT.look : EXIT.well;
}

function shown(view: IndexView, language: Language): string {
  const w = sayer(libraryMessages, language);
  const { documents, chunks, vectors, bytes, changeNo, lastBuild, lastError } = view;
  const state = wordFor(libraryMessages, 'states', view.state, language);
  const size = `${((bytes ?? 0) / 1e6).toFixed(1)} MB`;
  return [
    `${state}${view.building ? w('building') : ''}`,
    ...(chunks === null
      ? []
      : [w('holds', { files: documents ?? 0, chunks, vectors: vectors ?? 0, size, change: changeNo ?? 0 })]),
    ...(lastBuild === null
      ? []
      : [w('built', { at: lastBuild.at, ms: lastBuild.ms, reason: lastBuild.reason })]),
    ...(lastError === null ? [] : [w('lastError', { error: lastError })]),
    '',
  ].join('\n');
}
