import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../common/config.ts';
import { say, type Language } from '../../common/message.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { readSiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import { siteMessages } from '../site-messages.ts';
import { testLink } from '../uplink/link-test.ts';
import { authorityBeside, readAuthority, trust } from './authority.ts';
import type { SiteContext } from './context.ts';
import { settingsOf, withSettings } from './env-file.ts';
import { setupMessages, type SetupMessages } from './setup-messages.ts';
import { complete } from './setup-questions.ts';

const ENV_FILE = '/etc/fieldline-site/site.env';

/** The options as they were typed. */
interface Typed {
  instance: string | undefined;
  url: string | undefined;
  key: string | undefined;
  'key-file': string | undefined;
  ca: string | undefined;
  'no-uplink': boolean;
  'no-test': boolean;
  file: string | undefined;
  'uplink-key-path': string | undefined;
}

/**
 * `setup`: the name of this site and its headquarters, tested before they are saved. What else the file says
 * stays as it is.
 */
export async function setup(values: Typed, { terminal, language }: SiteContext): Promise<number> {
  const w = setupMessages[language];
  const file = path.resolve(values.file ?? ENV_FILE);
  const { keyPath, keyRef } = keyPlace(file, values['uplink-key-path']);
  for (const one of [file, keyPath]) mayWriteBeside(one);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const settings = settingsOf(before);
  const authority = values.ca === undefined ? null : readAuthority(values.ca, w);
  trustFor(authority, settings.NODE_EXTRA_CA_CERTS, w);
  const given =
    values['key-file'] === undefined ? values.key : readFileSync(values['key-file'], 'utf8').trim();
  const answers = await complete(
    { instance: values.instance, url: values.url, key: given, noUplink: values['no-uplink'] },
    { before: settings, terminal, language },
  );
  if (answers.url !== null && answers.key !== null && !values['no-test']) {
    const fault = await linkFault({ ...answers, url: answers.url, key: answers.key }, language);
    if (fault !== null) {
      terminal.out(`${w.linkFails(fault)}\n`);
      return EXIT.look;
    }
    terminal.out(`${w.linkWorks}\n`);
  }
  const after = withSettings(before, {
    CORE_INSTANCE: answers.instance,
    CORE_UPLINK_URL: answers.url,
    CORE_UPLINK_KEY_REF: answers.url === null ? null : keyRef,
    ...(authority === null ? {} : { NODE_EXTRA_CA_CERTS: authorityBeside(file) }),
  });
  check(after, w);
  mkdirSync(path.dirname(file), { recursive: true });
  if (answers.key !== null) replaceFile(keyPath, `${answers.key}\n`, 0o600);
  if (authority !== null) replaceFile(authorityBeside(file), authority, 0o644);
  replaceFile(file, after, 0o644);
  terminal.out(`${w.saved(file)}\n`);
  return EXIT.well;
}

/** Tries the link as the service will: with the authority that is given, or the one that the file names. */
function trustFor(authority: string | null, named: string | undefined, w: SetupMessages): void {
  if (authority !== null) trust(authority);
  else if (named !== undefined && existsSync(named)) trust(readAuthority(named, w));
}

/**
 * Beside the configuration of an installed package there is a folder that the service manager alone reads.
 */
function keyPlace(file: string, given: string | undefined): { keyPath: string; keyRef: string } {
  const credentials = path.join(path.dirname(file), 'credentials');
  if (given === undefined && existsSync(credentials))
    return { keyPath: path.join(credentials, 'uplink-key'), keyRef: 'cred:site_uplink-key' };
  const keyPath = path.resolve(given ?? path.join(path.dirname(file), 'uplink-key'));
  return { keyPath, keyRef: `file:${keyPath}` };
}

async function linkFault(
  { instance, url, key }: { instance: string; url: string; key: string },
  language: Language,
): Promise<string | null> {
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
    return result.ok ? null : say(siteMessages, result.fault, language);
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
    throw new UsageError(w.wouldNotStart(error.message));
  }
}

/**
 * Whether the file can be written is found out before the first question is asked. @throws what the file
 * system does
 */
function mayWriteBeside(file: string): void {
  let folder = path.dirname(file);
  while (!existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  accessSync(folder, constants.W_OK);
}

/** In one step and durable; owner and mode of a file that was there stay. */
function replaceFile(file: string, text: string, mode: number): void {
  const prior = statSync(file, { throwIfNoEntry: false });
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode, flush: true });
  chmodSync(fresh, prior ? prior.mode & 0o777 : mode);
  if (prior && process.getuid?.() === 0) chownSync(fresh, prior.uid, prior.gid);
  renameSync(fresh, file);
}
