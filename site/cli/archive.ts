import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { redactUrl } from '../../common/http/redact-url.ts';
import { say, type Language } from '../../common/message.ts';
import { NotRunning, type ApiClient } from '../../common/terminal/api.ts';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { version } from '../../common/package.ts';
import { makeBackup } from '../backup/backup.ts';
import { restore, RestoreRefused } from '../backup/restore.ts';
import { writeArchive, type Entry } from '../backup/archive.ts';
import type { SiteConfig } from '../config.ts';
import { StoreInUse } from '../store/engine/lock.ts';
import { storeMessages } from '../store/store-messages.ts';
import { archiveMessages, type ArchiveMessages } from './archive-messages.ts';
import { runChecks } from './check.ts';
import { size } from './status-screen.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
  config: SiteConfig;
  language: Language;
}

/** `backup FILE`: the store and its secrets, also while the site runs. */
export async function backupCommand(
  argv: string[],
  { terminal, config, language }: Context,
): Promise<number> {
  const w = archiveMessages[language];
  const usage = 'fieldline-site backup FILE [--without-secrets]';
  const { values, positionals } = readArguments(
    argv,
    { 'without-secrets': { type: 'boolean' } },
    { min: 1, max: 1, usage },
  );
  const target = freshFile(positionals[0] ?? '', usage, w);
  const secrets = !values['without-secrets'];
  const { bytes } = await makeBackup({
    dataDir: config.dataDir,
    instance: config.instance,
    target,
    secrets,
    now: Date.now(),
  });
  terminal.out(`${w.holdsStore(target, size(bytes))}\n${secrets ? w.withSecrets : w.withoutSecrets}\n`);
  return 0;
}

/** `restore FILE`: in the place of the store that is there, which is set aside. */
export async function restoreCommand(
  argv: string[],
  { terminal, config, language }: Context,
): Promise<number> {
  const w = archiveMessages[language];
  const { positionals } = readArguments(argv, {}, { min: 1, max: 1, usage: 'fieldline-site restore FILE' });
  const source = path.resolve(positionals[0] ?? '');
  if (!existsSync(source)) throw new UsageError(w.noFile(source));
  const { aside, events, idsAfter } = await restore({
    dataDir: config.dataDir,
    source,
    now: Date.now(),
  }).catch((error: unknown) => {
    const known = error instanceof RestoreRefused || error instanceof StoreInUse;
    throw known ? new UsageError(say(storeMessages, error.fault, language)) : error;
  });
  terminal.out(
    `${w.restored(events, aside === null ? null : path.join(config.dataDir, aside))}\n${w.newEpoch(idsAfter)}\n`,
  );
  return 0;
}

/** `bundle FILE`: what support needs, and no secret. */
export async function bundleCommand(
  argv: string[],
  { api, terminal, config, language }: Context,
): Promise<number> {
  const w = archiveMessages[language];
  const usage = 'fieldline-site bundle FILE';
  const { positionals } = readArguments(argv, {}, { min: 1, max: 1, usage });
  const target = freshFile(positionals[0] ?? '', usage, w);
  const answers = {
    'status.json': '/api/core/site/status',
    'alarms.json': '/api/core/alarms?include_cleared=true&limit=500',
    'audit.json': '/api/core/audit?limit=500',
    'parked.json': '/api/core/uplink/parked?state=all&limit=500',
    'retention.json': '/api/core/retention',
    'nodes.json': '/api/core/nodes',
  };
  const entries: Entry[] = [{ name: 'about.json', text: about(config) }];
  for (const [name, target_] of Object.entries(answers))
    entries.push({ name, text: await ask(api, target_) });
  entries.push({ name: 'check.json', text: JSON.stringify(await runChecks({ api, config }), null, 2) });
  await writeArchive(target, entries, Date.now());
  terminal.out(`${w.bundled(target, entries.length)}\n`);
  return 0;
}

async function ask(api: ApiClient, target: string): Promise<string> {
  try {
    return JSON.stringify(await api.call<unknown>('GET', target), null, 2);
  } catch (error) {
    if (error instanceof NotRunning) return JSON.stringify({ running: false, error: error.message });
    return JSON.stringify({ error: (error as Error).message });
  }
}

const kindOf = (reference: string | null | undefined): string | null =>
  reference?.replace(/:.*/s, ':…') ?? null;

/** The configuration as references, addresses without a password or a token in them, and the machine. */
function about({ secrets: _, tls, uplink, agent, ...rest }: SiteConfig): string {
  const memory = existsSync('/proc/meminfo')
    ? readFileSync('/proc/meminfo', 'utf8').split('\n').slice(0, 5)
    : [];
  return JSON.stringify(
    {
      version,
      node: process.version,
      kernel: os.release(),
      arch: process.arch,
      uptimeSeconds: os.uptime(),
      memory,
      load: os.loadavg(),
      config: {
        ...rest,
        uplink: uplink && { ...uplink, url: redactUrl(uplink.url), keyRef: kindOf(uplink.keyRef) },
        tls: tls !== null,
        adminKeyRef: kindOf(rest.adminKeyRef),
        agent: {
          ...agent,
          model: agent.model && {
            ...agent.model,
            url: redactUrl(agent.model.url),
            keyRef: kindOf(agent.model.keyRef),
          },
        },
      },
    },
    null,
    2,
  );
}

function freshFile(word: string, usage: string, w: ArchiveMessages): string {
  const target = path.resolve(word);
  if (existsSync(target)) throw new UsageError(`${w.fileExists(target)}\nusage: ${usage}`);
  if (!existsSync(path.dirname(target)))
    throw new UsageError(`${w.noFolder(path.dirname(target))}\nusage: ${usage}`);
  return target;
}
