import { ApiClient } from '../../common/terminal/api.ts';
import { standardTerminal, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { version } from '../../common/package.ts';
import type { SiteConfig } from '../config.ts';
import { nodeCommand } from './node.ts';
import { parkedCommand } from './parked.ts';
import { statusCommand } from './status.ts';

const HELP = `fieldline-site <command>

  run                                     run the site (the default)
  status [--json]                         how it goes; exit 0 well, 1 look at it, 2 not well or not running
  node add --tenant T --name N [--key-id K]
                                          register a camera; prints its key and secret, once
  node list
  node rotate KEY [--overlap-hours H]     a new secret; the old one works on for H hours (24)
  node remove KEY                         its key stops working at once
  parked list [--channel events|verdicts] [--all]
                                          what headquarters refused, with the reason
  parked replay [--channel C [ID ...]]    send it again
  parked discard CHANNEL ID --by NAME     give it up
  version
  help

The commands speak to the running site over its local socket; whoever may write to the socket may use them.
`;

/** Carries out one command of the site's command line. @returns the exit code @throws UsageError, ApiError, NotRunning */
export async function runCommand(argv: string[], config: SiteConfig, terminal: Terminal = standardTerminal): Promise<number> {
  const [command, ...rest] = argv;
  const api = new ApiClient({
    at: { socket: config.adminSocket },
    whenSilent: `the site does not answer at ${config.adminSocket}; is it running, and with the same CORE_DATA_DIR?`,
  });
  switch (command) {
    case 'status': return statusCommand(rest, { api, terminal, config });
    case 'node': return nodeCommand(rest, { api, terminal, config });
    case 'parked': return parkedCommand(rest, { api, terminal });
    case 'version':
      terminal.out(`fieldline-site ${version}\n`);
      return 0;
    case 'help': case '--help': case '-h':
      terminal.out(HELP);
      return 0;
    default:
      throw new UsageError(`there is no command ${command ?? ''}\n\n${HELP}`);
  }
}
