import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../../common/config.ts';
import { say, sayer } from '../../../common/message.ts';
import { UsageError } from '../../../common/terminal/command.ts';
import { EXIT } from '../../../common/terminal/exit.ts';
import { readSiteConfig } from '../../config.ts';
import { createHttpClient } from '../../http-client.ts';
import { type LinkFault, siteMessages } from '../../site-messages.ts';
import { type Join, joinByCode } from '../../uplink/join.ts';
import { testLink } from '../../uplink/link-test.ts';
import { authorityBeside, readAuthority, trust } from '../authority.ts';
import type { SiteContext } from '../context.ts';
import { Dialog } from '../dialog.ts';
import { settingsOf, withSettings } from '../env-file.ts';
import { keyPlace, mayWriteBeside, replaceFile, textOf } from './files.ts';
import { type Answers, isCode, SetupQuestions } from './questions.ts';
import { type SetupMessages, setupMessages } from './setup-messages.ts';

const ENV_FILE = '/etc/fieldline-site/site.env';
const SERVICE = 'fieldline-site';

/** The options as they were typed. */
interface Typed {
  instance: string | undefined;
  url: string | undefined;
  key: string | undefined;
  'key-file': string | undefined;
  code: string | undefined;
  ca: string | undefined;
  'no-uplink': boolean;
  'no-test': boolean;
  restart: boolean;
  file: string | undefined;
  'uplink-key-path': string | undefined;
}

/**
 * `setup`: the name of this site and its headquarters, tested before they are saved. What else the file says
 * stays as it is.
 */
export async function setup(values: Typed, context: SiteContext): Promise<number> {
  const w = sayer(setupMessages, context.language);
  const dialog = process.stdin.isTTY ? new Dialog(process.stdin, process.stdout, w('nothingSaved')) : null;
  try {
    return await setUp(values, dialog, context);
  } finally {
    dialog?.close();
  }
}

async function setUp(
  values: Typed,
  dialog: Dialog | null,
  { terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(setupMessages, language);
  const file = path.resolve(values.file ?? ENV_FILE);
  const { keyPath, keyRef } = keyPlace(file, values['uplink-key-path']);
  for (const one of [file, keyPath]) mayWriteBeside(one);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const settings = settingsOf(before);
  const authority = values.ca === undefined ? null : readAuthority(values.ca, w);
  trustFor(authority, settings.NODE_EXTRA_CA_CERTS, w);
  const keyGiven = values['key-file'] === undefined ? values.key : readFileSync(values['key-file'], 'utf8');
  const { instance, url, code } = values;
  const questions = new SetupQuestions({
    given: { instance, url, key: keyGiven?.trim(), code, noUplink: values['no-uplink'] },
    before: settings,
    keptKey: textOf(keyPath),
    dialog,
    terminal,
    language,
  });
  const keep = (key: string): void => {
    mkdirSync(path.dirname(keyPath), { recursive: true });
    replaceFile(keyPath, `${key}\n`, 0o600);
  };
  const link = { keep, untested: values['no-test'] };
  const answers = await tried(questions, link, dialog, { terminal, language });
  if (answers === null) return EXIT.look;
  const after = withSettings(before, {
    CORE_INSTANCE: answers.instance,
    CORE_UPLINK_URL: answers.url,
    CORE_UPLINK_KEY_REF: answers.url === null ? null : keyRef,
    ...(authority === null ? {} : { NODE_EXTRA_CA_CERTS: authorityBeside(file) }),
  });
  check(after, w);
  mkdirSync(path.dirname(file), { recursive: true });
  if (answers.key !== null) keep(answers.key);
  if (authority !== null) replaceFile(authorityBeside(file), authority, 0o644);
  replaceFile(file, after, 0o644);
  terminal.out(`${w('saved', { file })}\n`);
  const asked = dialog !== null && file === ENV_FILE && existsSync('/run/systemd/system');
  const wanted = values.restart || (asked && !/^n|^否/i.test(await dialog.ask(w('restartNow'))));
  if (wanted) return restart(terminal, w);
  terminal.out(`${w('restartLater')}\n`);
  return EXIT.well;
}

/**
 * Asks until the link works or is not to be tried. A code is changed for the key, which is kept at once: the
 * code is used up.
 * @returns null where it does not work and nobody is asked
 */
async function tried(
  questions: SetupQuestions,
  { keep, untested }: { keep: (key: string) => void; untested: boolean },
  dialog: Dialog | null,
  { terminal, language }: Pick<SiteContext, 'terminal' | 'language'>,
): Promise<Answers | null> {
  const w = sayer(setupMessages, language);
  let answers = await questions.all();
  for (;;) {
    if (dialog) terminal.out('\n');
    const { url, key } = answers;
    const join =
      url !== null && key !== null && isCode(key) ? await fetched(url, key, answers.instance) : null;
    if (join?.ok) {
      keep(join.key);
      terminal.out(`${w('joined', { instance: join.instance })}\n`);
      answers = { ...answers, instance: join.instance, key: join.key };
    }
    const fault = join?.ok === false ? join.fault : untested ? null : await linkFault(answers);
    if (fault === null && (untested || url === null)) return answers;
    if (fault === null) {
      terminal.out(`${w('linkWorks')}\n`);
      return answers;
    }
    const said = say(siteMessages, fault, language);
    terminal.out(`${w('linkFails', { fault: said })}\n${dialog ? w('notSavedYet') : w('savesUntested')}\n`);
    if (!dialog) return null;
    answers = await questions.again(dialog, fault.code, answers);
  }
}

function restart(terminal: SiteContext['terminal'], w: SetupMessages): number {
  const { status, error } = spawnSync('systemctl', ['restart', SERVICE], { stdio: 'inherit' });
  const reason = error?.message ? w('reason', { text: error.message }) : '';
  terminal.out(`${status === 0 ? w('restarted') : w('notRestarted', { reason })}\n`);
  return status === 0 ? EXIT.well : EXIT.look;
}

/** Tries the link as the service will: with the authority that is given, or the one that the file names. */
function trustFor(authority: string | null, named: string | undefined, w: SetupMessages): void {
  if (authority !== null) trust(authority);
  else if (named !== undefined && existsSync(named)) trust(readAuthority(named, w));
}

async function fetched(url: string, code: string, instance: string | null): Promise<Join> {
  const client = createHttpClient();
  try {
    return await joinByCode({ client, url, code, instance });
  } finally {
    client.close();
  }
}

/** null where the link works, and for a site without headquarters. */
async function linkFault({ instance, url, key }: Answers): Promise<LinkFault | null> {
  if (instance === null || url === null || key === null) return null;
  const client = createHttpClient();
  const colon = key.indexOf(':');
  try {
    const result = await testLink({
      client,
      url,
      key: { keyId: key.slice(0, colon), secret: key.slice(colon + 1) },
      instance,
      now: Date.now(),
    });
    return result.ok ? null : result.fault;
  } finally {
    client.close();
  }
}

/** The whole file must be one that the site starts with. @throws UsageError */
function check(text: string, w: SetupMessages): void {
  try {
    readSiteConfig(settingsOf(text));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(w('wouldNotStart', { fault: error.message }));
  }
}
