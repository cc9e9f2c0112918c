import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ConfigError } from '../../common/config.ts';
import { HttpClient } from '../../common/http/client.ts';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { readSiteConfig } from '../config.ts';
import { testLink } from '../uplink/link-test.ts';
import { withSettings } from './env-file.ts';

const USAGE = 'fieldline-site setup [--instance NAME] [--url ADDRESS] [--key ID:SECRET | --key-file FILE] [--no-uplink] [--file FILE] [--uplink-key-path FILE] [--no-test]';
export const ENV_FILE = '/etc/fieldline-site/site.env';

interface Answers {
  instance: string;
  url: string | null;
  key: string | null;
}

/** `setup`: the name of this site and its headquarters, tested before they are saved. What else the file says stays as it is. */
export async function setupCommand(argv: string[], terminal: Terminal): Promise<number> {
  const { values } = readArguments(argv, {
    instance: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' }, 'key-file': { type: 'string' }, 'no-uplink': { type: 'boolean' },
    file: { type: 'string' }, 'uplink-key-path': { type: 'string' }, 'no-test': { type: 'boolean' },
  }, { min: 0, max: 0, usage: USAGE });
  const file = path.resolve(values.file ?? ENV_FILE);
  const { keyPath, keyRef } = keyPlace(file, values['uplink-key-path']);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const given = values['key-file'] === undefined ? values.key : readFileSync(values['key-file'], 'utf8').trim();
  const answers = await complete({ instance: values.instance, url: values.url, key: given, noUplink: values['no-uplink'] === true }, terminal);
  if (answers.url !== null && answers.key !== null && !values['no-test']) {
    const fault = await linkFault({ ...answers, url: answers.url, key: answers.key });
    if (fault !== null) {
      terminal.out(`The link was tried and does not work: ${fault}.\nNothing was saved. With --no-test it is saved all the same.\n`);
      return 1;
    }
    terminal.out('Headquarters answers, knows the key and the name of this site.\n');
  }
  const after = withSettings(before, {
    CORE_INSTANCE: answers.instance, CORE_UPLINK_URL: answers.url, CORE_UPLINK_KEY_REF: answers.url === null ? null : keyRef,
  });
  check(after);
  mkdirSync(path.dirname(file), { recursive: true });
  if (answers.key !== null) replaceFile(keyPath, `${answers.key}\n`, 0o600);
  replaceFile(file, after, 0o644);
  terminal.out(`Saved in ${file}. It counts from the next start: systemctl restart fieldline-site\n`);
  return 0;
}

/** Beside the configuration of an installed package there is a folder that the service manager alone reads. */
function keyPlace(file: string, given: string | undefined): { keyPath: string; keyRef: string } {
  const credentials = path.join(path.dirname(file), 'credentials');
  if (given === undefined && existsSync(credentials)) return { keyPath: path.join(credentials, 'uplink-key'), keyRef: 'cred:site_uplink-key' };
  const keyPath = path.resolve(given ?? path.join(path.dirname(file), 'uplink-key'));
  return { keyPath, keyRef: `file:${keyPath}` };
}

async function complete(given: { instance: string | undefined; url: string | undefined; key: string | undefined; noUplink: boolean }, terminal: Terminal): Promise<Answers> {
  const ask = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : null;
  const answer = async (value: string | undefined, question: string, option: string): Promise<string> => {
    const text = value ?? (await ask?.question(question))?.trim();
    if (text === undefined) throw new UsageError(`${option} is missing\nusage: ${USAGE}`);
    return text;
  };
  try {
    const instance = await answer(given.instance, 'Name of this site, as registered at headquarters: ', '--instance');
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(instance)) throw new UsageError('The name must be letters, digits, ".", "_" and "-", at most 64.');
    if (given.noUplink) return { instance, url: null, key: null };
    const url = await answer(given.url, 'Address of headquarters (empty for none): ', '--url (or --no-uplink)');
    if (url === '') return { instance, url: null, key: null };
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new UsageError(`${url} is not an http:// or https:// address.`);
    const key = await answer(given.key, 'Key that headquarters printed, <key id>:<secret>: ', '--key or --key-file');
    if (!/^[^\s:]+:\S+$/.test(key)) throw new UsageError('The key must have the form <key id>:<secret>.');
    return { instance, url, key };
  } finally {
    ask?.close();
    if (ask) terminal.out('\n');
  }
}

async function linkFault({ instance, url, key }: { instance: string; url: string; key: string }): Promise<string | null> {
  const client = new HttpClient();
  const colon = key.indexOf(':');
  try {
    const result = await testLink({ client, url, key: { keyId: key.slice(0, colon), secret: key.slice(colon + 1) }, instance, now: Date.now() });
    return result.ok ? null : result.message;
  } finally {
    client.close();
  }
}

/** The whole file must be one that the site starts with. @throws ConfigError */
function check(text: string): void {
  const env: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) env[name] = (value ?? '').trim().replace(/^(["'])(.*)\1$/, '$2');
  }
  try {
    readSiteConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(`Nothing was saved, since the site would not start with it. ${error.message}`);
  }
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
