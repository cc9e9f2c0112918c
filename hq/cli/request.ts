import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sayer } from '../../common/message.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { columns, renderTable } from '../../common/terminal/table.ts';
import { isThere } from '../../common/terminal/there.ts';
import type { RequestKind } from '../../common/uplink/request/schema.ts';
import type { ShownState } from '../fleet/request/schema.ts';
import type { HubContext } from './context.ts';
import { requestMessages } from './request-messages.ts';

/** How long a command waits for an answer unless told otherwise, and how often it looks. */
const WAIT_SECONDS = 60;
const LOOK_MS = 500;

interface RequestView {
  id: string;
  instance: string;
  what: RequestKind;
  state: ShownState;
  askedAt: string;
  sentAt: string | null;
  askedBy: string;
  exit: number | null;
  text?: string | null;
  reason: string | null;
  reasonZh: string | null;
  file: { name: string; size: number; held: number; whole: boolean } | null;
}

interface Asked {
  instance: string;
  what: RequestKind;
  device: string | undefined;
  lines: number | undefined;
  seconds: number | undefined;
  minutes: number | undefined;
  wait: number | undefined;
  file: string | undefined;
}

const pathOf = (instance: string): string => `/api/core/sites/${encodeURIComponent(instance)}/requests`;

/** `site ask`: asks a site, and waits a while for its answer. */
export async function askSite(typed: Asked, context: HubContext): Promise<number> {
  const { api, terminal, language } = context;
  const w = sayer(requestMessages, language);
  const { instance, what, device, lines, seconds, minutes, file, wait = WAIT_SECONDS } = typed;
  const target = file === undefined ? undefined : freshFile(file, context);
  const made = await api.call<RequestView>('POST', pathOf(instance), {
    ...{ what, device, lines, seconds, language },
    ...(minutes === undefined ? {} : { expires_minutes: minutes }),
  });
  const until = performance.now() + wait * 1000;
  terminal.out(`${w('asked', { instance, id: made.id })}\n`);
  let found = made;
  while (isOpen(found) && performance.now() < until) {
    await pause(LOOK_MS);
    found = await api.call<RequestView>('GET', `${pathOf(instance)}/${made.id}`);
  }
  return show(found, target, context);
}

/** `site answer`: what came of a request. */
export async function showAnswer(
  { instance, id, file }: { instance: string; id: string; file: string | undefined },
  context: HubContext,
): Promise<number> {
  const target = file === undefined ? undefined : freshFile(file, context);
  const found = await context.api.call<RequestView>('GET', `${pathOf(instance)}/${encodeURIComponent(id)}`);
  return show(found, target, context);
}

/** `site withdraw`: takes a request back. */
export async function withdrawRequest(
  { instance, id }: { instance: string; id: string },
  { api, terminal, language }: HubContext,
): Promise<number> {
  const found = await api.call<RequestView>('DELETE', `${pathOf(instance)}/${encodeURIComponent(id)}`);
  terminal.out(`${withdrawnText(found, language)}\n`);
  return EXIT.well;
}

/** `site answers`: what a site was asked for. */
export async function listAnswers(
  { instance, json }: { instance: string; json: boolean },
  { api, terminal, language, time }: HubContext,
): Promise<number> {
  const w = sayer(requestMessages, language);
  const told = await api.call<{ care: string | null; items: RequestView[] }>('GET', pathOf(instance));
  if (json) terminal.out(`${JSON.stringify(told)}\n`);
  else {
    if (told.care === 'off') terminal.out(`${w('off', { instance })}\n`);
    const rows = told.items.map((one) => [
      ...[one.id, one.what, w(`states_${one.state}`), time(one.askedAt), one.askedBy],
      (language === 'zh' ? one.reasonZh : null) ?? one.reason ?? '-',
    ]);
    terminal.out(rows.length === 0 ? `${w('none', { instance })}\n` : renderTable(columns(w('head')), rows));
  }
  return EXIT.well;
}

const isOpen = ({ state, file }: RequestView): boolean =>
  state === 'waiting' || state === 'sent' || (file !== null && !file.whole);

async function show(found: RequestView, target: string | undefined, context: HubContext): Promise<number> {
  const { terminal, language } = context;
  const w = sayer(requestMessages, language);
  const { instance, id, state, text, file, exit } = found;
  if (state === 'waiting' || state === 'sent') {
    terminal.out(`${w('notYet', { instance, id })}\n`);
    return EXIT.look;
  }
  if (state === 'withdrawn') {
    terminal.out(`${withdrawnText(found, language)}\n`);
    return EXIT.bad;
  }
  if (state !== 'done') {
    const reason = (language === 'zh' ? found.reasonZh : null) ?? found.reason ?? w('noReason');
    terminal.out(`${w('ended', { state: w(`states_${state}`), reason })}\n`);
    return EXIT.bad;
  }
  if (text) terminal.out(text.endsWith('\n') ? text : `${text}\n`);
  if (file?.whole && target !== undefined) await save(found, target, context);
  else if (file) {
    const { name, held, size } = file;
    terminal.out(
      `${file.whole ? w('fileHere', { name, instance, id }) : w('fileComing', { name, held, size })}\n`,
    );
    return file.whole ? EXIT.well : EXIT.look;
  } else if (target !== undefined) throw new UsageError(w('noFile'));
  return exit ?? EXIT.well;
}

const withdrawnText = ({ instance, id, sentAt }: RequestView, language: HubContext['language']): string =>
  sayer(requestMessages, language)(sentAt === null ? 'withdrawn' : 'withdrawnLate', { instance, id });

async function save(
  { instance, id, file }: RequestView,
  target: string,
  { api, terminal, language }: HubContext,
): Promise<void> {
  const bytes = await api.download(`${pathOf(instance)}/${encodeURIComponent(id)}/file`);
  writeFileSync(target, bytes, { mode: 0o600, flag: 'wx' });
  const said = { file: target, name: file?.name ?? '', size: bytes.length };
  terminal.out(`${sayer(requestMessages, language)('saved', said)}\n`);
}

function freshFile(word: string, { language }: HubContext): string {
  const target = path.resolve(word);
  if (isThere(target)) throw new UsageError(sayer(requestMessages, language)('fileExists', { file: target }));
  return target;
}
