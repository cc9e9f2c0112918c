import { adminKeyCommand } from '../../common/core/admin-key/command.ts';
import { ApiClient } from '../../common/terminal/api.ts';
import { standardTerminal, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { version } from '../../common/package.ts';
import { readSecret } from '../../common/secret.ts';
import type { HubConfig } from '../config.ts';
import { indexCommand } from './index.ts';
import { ingestCommand } from './ingest.ts';
import { siteCommand } from './site.ts';
import { userCommand } from './user.ts';

const HELP = `fieldline-hq <command>

  run                                     run the hub (the default)
  site add INSTANCE --tenant T [--tenant T2 ...]
                                          register a site; prints its key, once
  site list
  site tenants INSTANCE --tenant T [...]  change the tenants whose events it may bring
  site rotate INSTANCE KEY [--overlap-hours H]
  site remove INSTANCE                    its keys stop working at once
  user add NAME --role operator | --role customer --tenant T [--permission P ...] [--password-stdin]
                                          who may log in; asks for the password
  user list
  user disable NAME | user enable NAME    disabling ends the sessions at once
  user password NAME [--password-stdin]
  admin-key add NAME                      a further admin key, for one holder or program; prints it, once
  admin-key list                          with the last use of each
  admin-key rotate NAME [--overlap-hours H]
                                          a new secret; the old one works on for H hours (24)
  admin-key remove NAME                   it stops working at once
  ingest [--tenant T] [--watch SECONDS]   cut the policy files that wait for it into clauses
  index status | index rebuild            the search index of the running hub
  migrate                                 bring the database up to this version, and end
  version
  help

The site, user and admin-key commands speak to the running hub with the admin key of this configuration.
`;

/**
 * Carries out one command of the hub's command line. @returns the exit code @throws UsageError, ApiError,
 * NotRunning
 */
export async function runCommand(
  argv: string[],
  config: HubConfig,
  terminal: Terminal = standardTerminal,
): Promise<number> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'site':
      return siteCommand(rest, { api: apiOf(config), terminal });
    case 'user':
      return userCommand(rest, { api: apiOf(config), terminal });
    case 'admin-key':
      return adminKeyCommand(rest, {
        api: apiOf(config),
        terminal,
        program: 'fieldline-hq',
        language: 'en',
        time: (at) => at,
      });
    case 'ingest':
      return ingestCommand(rest, { api: apiOf(config), terminal });
    case 'index':
      return indexCommand(rest, { api: apiOf(config), terminal });
    case 'migrate':
      return (await import('./migrate.ts')).migrateCommand(config, terminal);
    case 'version':
      terminal.out(`fieldline-hq ${version}\n`);
      return 0;
    case 'help':
    case '--help':
    case '-h':
      terminal.out(HELP);
      return 0;
    default:
      throw new UsageError(`there is no command ${command ?? ''}\n\n${HELP}`);
  }
}

function apiOf(config: HubConfig): ApiClient {
  const { host, port } = config.listen;
  const reach = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `${config.tls ? 'https' : 'http'}://${reach.includes(':') ? `[${reach}]` : reach}:${port}`;
  const adminKey = readSecret(
    config.adminKeyRef ?? `file:${config.dataDir}/secrets/admin-key`,
    config.secrets,
  );
  return new ApiClient({
    at: { url },
    headers: { 'x-admin-key': adminKey },
    whenSilent: `the hub does not answer at ${url}; is it running, and with the same CORE_LISTEN?`,
  });
}
