import { setTimeout as sleep } from 'node:timers/promises';
import { refusedWrite } from '../../../common/disk-space.ts';
import { sayer } from '../../../common/message.ts';
import { type ApiClient, NoAnswer, NotRunning } from '../../../common/terminal/api.ts';
import { EXIT } from '../../../common/terminal/exit.ts';
import type { SiteFacts } from '../../status/schema.ts';
import type { SiteContext } from '../context.ts';
import { type ScreenForm, stateShown, statusScreen } from './screen.ts';
import { statusMessages } from './status-messages.ts';

const WATCH_EVERY_MS = 2_000;

/** `status`: is it storing, does the link work, what waits, what needs a person. */
export async function showStatus(
  { json, watch }: { json: boolean; watch: boolean },
  {
    api,
    config,
    terminal,
    env,
    language,
  }: Pick<SiteContext, 'api' | 'config' | 'terminal' | 'env' | 'language'>,
): Promise<number> {
  const tty = process.stdout.isTTY && !json;
  // The site says itself that it cannot write, but not before half a minute has gone without; and whoever
  // asks again and again must not wear the disk.
  const { dataDir } = config;
  const code = watch ? null : refusedWrite(dataDir);
  const refusal = code === null ? null : { dir: dataDir, code };
  for (;;) {
    const { text, exit } = await once(api, config.uplink !== null, {
      json,
      language,
      refusal,
      colour: tty && env.NO_COLOR === undefined,
      columns: tty ? process.stdout.columns : null,
    });
    if (!watch) {
      terminal.out(text);
      return exit;
    }
    // Home and clear below, rather than clear first: the screen does not flicker.
    terminal.out(json ? text : `\u001b[H\u001b[J${text}`);
    await sleep(WATCH_EVERY_MS);
  }
}

async function once(
  api: ApiClient,
  uplinked: boolean,
  form: Omit<ScreenForm, 'restartWanted'> & { json: boolean; refusal: { dir: string; code: string } | null },
): Promise<{ text: string; exit: number }> {
  const w = sayer(statusMessages, form.language);
  const refused = form.refusal === null ? '' : `${w('diskRefuses', form.refusal)}\n`;
  try {
    const facts = besides(form.refusal, await api.call<SiteFacts>('GET', '/api/core/site/status'));
    const restartWanted = uplinked && !facts.uplink.enabled;
    const exit = EXIT[stateShown(facts, restartWanted)];
    return {
      exit,
      text: form.json
        ? `${JSON.stringify({ running: true, exit, restartWanted, ...facts })}\n`
        : statusScreen(facts, { ...form, restartWanted }) + refused,
    };
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    const [head, advice] =
      error instanceof NoAnswer ? [w('hung'), w('restart')] : [w('notRunning'), w('start')];
    return {
      exit: EXIT.bad,
      text: form.json
        ? `${JSON.stringify({ running: false, exit: EXIT.bad, error: error.message })}\n`
        : `● ${head}\n\n${refused}${advice}\n${error.message}\n`,
    };
  }
}

/** What the site says, with the disk that does not take what it will write next. */
function besides(refusal: object | null, facts: SiteFacts): SiteFacts {
  if (refusal === null || !facts.storing.ok) return facts;
  return { ...facts, state: 'bad', storing: { ...facts.storing, ok: false, reason: 'store_failed' } };
}
