import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer, NotRunning, type ApiClient } from '../../common/terminal/api.ts';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import type { SiteFacts } from '../status/schema.ts';
import { languageOf, statusScreen, type ScreenForm } from './status-screen.ts';
import { statusMessages } from './status-messages.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  env: Readonly<Record<string, string | undefined>>;
}

/** Exit codes of `status`, for monitoring. */
export const EXIT = { well: 0, look: 1, bad: 2 } as const;
const WATCH_EVERY_MS = 2_000;
const USAGE = 'fieldline-site status [--json] [--watch] [--lang zh|en]';

/** `status`: is it storing, does the link work, what waits, what needs a person. */
export async function statusCommand(argv: string[], { api, terminal, env }: Context): Promise<number> {
  const { values } = readArguments(
    argv,
    { json: { type: 'boolean' }, watch: { type: 'boolean' }, lang: { type: 'string' } },
    { min: 0, max: 0, usage: USAGE },
  );
  if (values.lang !== undefined && values.lang !== 'zh' && values.lang !== 'en')
    throw new UsageError(`--lang is zh or en\nusage: ${USAGE}`);
  const language = languageOf(values.lang, env);
  const tty = process.stdout.isTTY && !values.json;
  for (;;) {
    const { text, exit } = await once(api, {
      json: values.json === true,
      language,
      colour: tty && env.NO_COLOR === undefined,
      columns: tty ? process.stdout.columns : null,
    });
    if (!values.watch) {
      terminal.out(text);
      return exit;
    }
    // Home and clear below, rather than clear first: the screen does not flicker.
    terminal.out(values.json ? text : `\u001b[H\u001b[J${text}`);
    await sleep(WATCH_EVERY_MS);
  }
}

async function once(
  api: ApiClient,
  form: ScreenForm & { json: boolean },
): Promise<{ text: string; exit: number }> {
  try {
    const facts = await api.call<SiteFacts>('GET', '/api/core/site/status');
    const exit = EXIT[facts.state];
    return {
      exit,
      text: form.json ? `${JSON.stringify({ running: true, exit, ...facts })}\n` : statusScreen(facts, form),
    };
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    const w = statusMessages[form.language];
    const [head, advice] = error instanceof NoAnswer ? [w.hung, w.restart] : [w.notRunning, w.start];
    return {
      exit: EXIT.bad,
      text: form.json
        ? `${JSON.stringify({ running: false, exit: EXIT.bad, error: error.message })}\n`
        : `● ${head}\n\n${advice}\n${error.message}\n`,
    };
  }
}
