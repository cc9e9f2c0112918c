import os from 'node:os';
import path from 'node:path';
import { type Entry, writeArchive } from '../../common/archive.ts';
import { sayer } from '../../common/message.ts';
import { version } from '../../common/package.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { journalEntries } from '../../common/terminal/journal/archive.ts';
import { isThere } from '../../common/terminal/there.ts';
import type { HubConfig } from '../config.ts';
import type { HubContext } from './context.ts';
import { healthMessages } from './health-messages.ts';

/** What support needs of a running hub, by the name that it has in the archive. */
const ANSWERS = {
  'uplink.json': '/api/core/uplink/status',
  'conflicts.json': '/api/core/uplink/conflicts',
  'alarms.json': '/api/core/alarms?include_cleared=true&limit=500',
  'audit.json': '/api/core/audit?limit=500',
  'retention.json': '/api/core/retention',
  'sites.json': '/api/core/sites',
  'index.json': '/api/core/kb/index',
};

/** `bundle`: what support needs, and no secret. */
export async function bundle(
  { file }: { file: string },
  { api, config, terminal, language }: HubContext,
): Promise<number> {
  const w = sayer(healthMessages, language);
  const target = path.resolve(file);
  if (isThere(target)) throw new UsageError(w('fileExists', { file: target }));
  if (!isThere(path.dirname(target))) throw new UsageError(w('noFolder', { folder: path.dirname(target) }));
  const ask = async (asked: string): Promise<string> => {
    try {
      return JSON.stringify(await api.call<unknown>('GET', asked), null, 2);
    } catch (error) {
      return JSON.stringify({ error: (error as Error).message });
    }
  };
  const entries: Entry[] = [{ name: 'about.json', text: about(config) }];
  for (const [name, asked] of Object.entries(ANSWERS)) entries.push({ name, text: await ask(asked) });
  entries.push(...(await journalEntries('fieldline-hq.service')));
  await writeArchive(target, entries, Date.now());
  terminal.out(`${w('bundled', { file: target, count: entries.length })}\n`);
  return EXIT.well;
}

/** The servers and the database, without user, password and parameters; there may be several servers. */
const serversIn = (url: string): string => url.replace(/^(\w+:\/\/)(?:[^@/?]*@)?([^?]*).*$/s, '$1$2');

/** The machine, and of the configuration what holds no secret and no name of one. */
function about({ databaseUrl, ...config }: HubConfig): string {
  return JSON.stringify(
    {
      version,
      node: process.version,
      kernel: os.release(),
      arch: process.arch,
      uptimeSeconds: os.uptime(),
      load: os.loadavg(),
      memory: { total: os.totalmem(), free: os.freemem() },
      config: {
        instance: config.instance,
        listen: config.listen,
        dataDir: config.dataDir,
        adminSocket: config.adminSocket,
        database: databaseUrl === null ? 'embedded' : serversIn(databaseUrl),
        databasePool: config.databasePool,
        originals: config.originals.kind,
        embed: config.embed !== null,
        retention: config.retention,
        tls: config.tls !== null,
        logLevel: config.logLevel,
      },
    },
    null,
    2,
  );
}
