import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Entry, writeArchive } from '../../common/archive.ts';
import { redactUrl, redactUrls } from '../../common/http/outbound/redact-url.ts';
import { say, sayer } from '../../common/message.ts';
import { version } from '../../common/package.ts';
import { size } from '../../common/terminal/amounts.ts';
import { type ApiClient, NotRunning } from '../../common/terminal/api.ts';
import { noteBackup } from '../../common/terminal/backup-note.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { journalEntries } from '../../common/terminal/journal/archive.ts';
import { isThere } from '../../common/terminal/there.ts';
import { makeBackup } from '../backup/backup.ts';
import { restore, RestoreRefused } from '../backup/restore.ts';
import type { SiteConfig } from '../config.ts';
import { StoreInUse } from '../store/engine/lock.ts';
import { storeMessages } from '../store/store-messages.ts';
import { type ArchiveMessages, archiveMessages } from './archive-messages.ts';
import { runChecks } from './check.ts';
import type { SiteContext } from './context.ts';

/** `backup`: copies the store and its secrets, also while the site runs. */
export async function backup(
  { file, 'without-secrets': withoutSecrets }: { file: string; 'without-secrets': boolean },
  { terminal, config, language }: SiteContext,
): Promise<number> {
  const w = sayer(archiveMessages, language);
  const target = freshFile(file, w);
  const made = await makeBackup({
    dataDir: config.dataDir,
    instance: config.instance,
    target,
    secrets: !withoutSecrets,
    now: Date.now(),
  });
  const said = withoutSecrets ? w('withoutSecrets') : w('withSecrets');
  const unnoted = noteBackup(config.dataDir, made);
  const lines = [
    w('holdsStore', { file: target, size: size(made.bytes) }),
    ...(made.verified ? [] : [w('notWhole')]),
    said,
    ...(unnoted === null ? [] : [w('notNoted', { reason: unnoted })]),
  ];
  terminal.out(`${lines.join('\n')}\n`);
  return made.verified ? EXIT.well : EXIT.look;
}

/** `restore`: puts a backup in the place of the store, which is set aside. */
export async function restoreBackup(
  { file }: { file: string },
  { terminal, config, language }: SiteContext,
): Promise<number> {
  const w = sayer(archiveMessages, language);
  const { dataDir } = config;
  const source = path.resolve(file);
  if (!isThere(source)) throw new UsageError(w('noFile', { file: source }));
  const { aside, events, idsAfter } = await restore({ dataDir, source, now: Date.now() }).catch(
    (error: unknown) => {
      const known = error instanceof RestoreRefused || error instanceof StoreInUse;
      throw known ? new UsageError(say(storeMessages, error.fault, language)) : error;
    },
  );
  const before = aside === null ? '' : w('aside', { file: path.join(dataDir, aside) });
  const after = idsAfter > 0 ? w('idsAfter', { id: idsAfter }) : '';
  terminal.out(`${w('restored', { events })}${before}\n${w('newEpoch', { idsAfter: after })}\n`);
  return EXIT.well;
}

/** What support needs of a running site, by the name that it has in the archive. */
const ANSWERS = {
  'status.json': '/api/core/site/status',
  'alarms.json': '/api/core/alarms?include_cleared=true&limit=500',
  'audit.json': '/api/core/audit?limit=500',
  'parked.json': '/api/core/uplink/parked?state=all&limit=500',
  'retention.json': '/api/core/retention',
  'nodes.json': '/api/core/nodes',
  'devices.json': '/api/core/devices',
};

/** `bundle`: puts what support needs into one file, and no secret. */
export async function bundle(
  { file }: { file: string },
  { api, terminal, config, language }: SiteContext,
): Promise<number> {
  const w = sayer(archiveMessages, language);
  const target = freshFile(file, w);
  const count = await writeBundle(target, { api, config });
  terminal.out(`${w('bundled', { file: target, count })}\n`);
  return EXIT.well;
}

/** @param target a file that is not there yet @returns how many files are in it */
export async function writeBundle(
  target: string,
  { api, config }: Pick<SiteContext, 'api' | 'config'>,
): Promise<number> {
  const entries: Entry[] = [{ name: 'about.json', text: about(config) }];
  for (const [name, asked] of Object.entries(ANSWERS)) entries.push({ name, text: await ask(api, asked) });
  entries.push({ name: 'check.json', text: JSON.stringify(await runChecks({ api, config }), null, 2) });
  entries.push(...(await journalEntries('fieldline-site.service')));
  await writeArchive(target, entries.map(withoutAddresses), Date.now());
  return entries.length;
}

/** The audit and the log have addresses as they were given, and some of those are credentials. */
const withoutAddresses = (entry: Entry): Entry =>
  'text' in entry ? { name: entry.name, text: redactUrls(entry.text) } : entry;

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

function freshFile(word: string, w: ArchiveMessages): string {
  const target = path.resolve(word);
  if (isThere(target)) throw new UsageError(w('fileExists', { file: target }));
  if (!isThere(path.dirname(target))) throw new UsageError(w('noFolder', { folder: path.dirname(target) }));
  return target;
}
