import { ApiClient } from '../../common/terminal/api.ts';
import { standardTerminal, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { version } from '../../common/package.ts';
import type { SiteConfig } from '../config.ts';
import { alarmsCommand } from './alarms.ts';
import { commandMessages } from './command-messages.ts';
import { diskCommand } from './disk.ts';
import { takeLanguage } from './language.ts';
import { localTime } from './local-time.ts';
import { nodeCommand } from './node.ts';
import { parkedCommand } from './parked.ts';
import { rulesCommand } from './rules.ts';
import { setupCommand } from './setup.ts';
import { languageOf } from './status-screen.ts';
import { statusCommand } from './status.ts';
import type { Language } from '../../common/message.ts';

const HELP = `fieldline-site <command>

  run                                     run the site (the default)
  setup [--instance N --url U --key ID:SECRET] [--file F]
                                          name and headquarters of this site; the link is tried before it is saved
  status [--json] [--watch] [--lang zh|en]
                                          how it goes; exit 0 well, 1 look at it, 2 not well or not running
  check [--json] [--lang zh|en]           what is wrong and what to do; exit 0 good, 1 look at it, 2 bad
  node add --tenant T --name N [--key-id K]
                                          register a camera; prints its key and secret, once
  node list
  node rotate KEY [--overlap-hours H]     a new secret; the old one works on for H hours (24)
  node remove KEY                         its key stops working at once
  admin-key add NAME                      a further admin key, for one holder or program; prints it, once
  admin-key list                          with the last use of each
  admin-key rotate NAME [--overlap-hours H]
                                          a new secret; the old one works on for H hours (24)
  admin-key remove NAME                   it stops working at once
  parked list [--channel events|verdicts] [--all]
                                          what headquarters refused, with the reason
  parked show CHANNEL ID                  one of them, with what it is about
  parked replay [--channel C [ID ...]]    send it again
  parked discard CHANNEL ID --by NAME     give it up
  alarms clear KEY --by NAME [--note TEXT]
                                          it was dealt with; if its cause is still there it comes again
  disk confirm --by NAME [--note TEXT]    let a further half of what headquarters holds be deleted, after half went and it is still short
  rules test EVENTS [--rules FILE] [--why] [--json]
                                          what rules would do about recorded events; nothing is stored
  backup FILE [--without-secrets]         the store and its secrets, also while the site runs
  restore FILE                            in the place of the store, which is set aside; the site must not run
  bundle FILE                             an archive for support, without secrets
  version
  help

The commands speak to the running site over its local socket; whoever may write to the socket may use them.
They speak the language of the terminal, Chinese or English; --lang zh|en sets it.
`;

/** What the help says of one command; '' for one that does not exist. */
function helpOf(command: string): string {
  const lines = HELP.split('\n');
  const starts = lines.flatMap((line, at) =>
    line === `  ${command}` || line.startsWith(`  ${command} `) ? [at] : [],
  );
  return starts
    .flatMap((from) => {
      const length = lines.slice(from + 1).findIndex((line) => !line.startsWith(' '.repeat(8)));
      return lines.slice(from, from + 1 + length);
    })
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * These only look. A person in front of a site that hangs, and a monitor, should not wait long to hear of it.
 */
const LOOKS = new Set(['status', 'check', 'bundle']);
const LOOK_MS = 10_000;

/** @param language of what is told to a person */
function apiOf(
  { adminSocket }: SiteConfig,
  { language, command }: { language: Language; command: string },
): ApiClient {
  const w = commandMessages[language];
  return new ApiClient({
    at: { socket: adminSocket },
    whenSilent: w.silent(adminSocket),
    whenLate: w.late(adminSocket),
    whenForbidden: w.forbidden(adminSocket),
    refused: w.refused ?? {},
    ...(LOOKS.has(command) ? { timeoutMs: LOOK_MS } : {}),
  });
}

/**
 * Carries out one command of the site's command line. @returns the exit code @throws UsageError, ApiError,
 * NotRunning
 */
export async function runCommand(
  argv: string[],
  config: SiteConfig,
  terminal: Terminal = standardTerminal,
): Promise<number> {
  const [command, ...words] = argv;
  const asked = words.some((word) => word === '--help' || word === '-h') ? helpOf(command ?? '') : '';
  if (asked !== '') {
    terminal.out(asked);
    return 0;
  }
  const { env } = config.secrets;
  // These two read the option themselves, and say with their usage what is wrong with it.
  const ownOption = command === 'status' || command === 'check';
  const at = words.indexOf('--lang');
  const { language, rest } = ownOption
    ? { language: languageOf(at < 0 ? undefined : words[at + 1], env), rest: words }
    : takeLanguage(words, env);
  const api = apiOf(config, {
    language: words.includes('--json') || command === 'bundle' ? 'en' : language,
    command: command ?? '',
  });
  // What opens the store loads most of the program; the other commands do not wait for that.
  switch (command) {
    case 'status':
      return statusCommand(rest, { api, terminal, env: config.secrets.env });
    case 'check':
      return (await import('./check.ts')).checkCommand(rest, { api, terminal, config });
    case 'setup':
      return setupCommand(rest, { terminal, language });
    case 'backup':
      return (await import('./archive.ts')).backupCommand(rest, { api, terminal, config, language });
    case 'restore':
      return (await import('./archive.ts')).restoreCommand(rest, { api, terminal, config, language });
    case 'bundle':
      return (await import('./archive.ts')).bundleCommand(rest, { api, terminal, config, language });
    case 'node':
      return nodeCommand(rest, { api, terminal, config, language });
    case 'admin-key':
      return (await import('../../common/core/admin-key/command.ts')).adminKeyCommand(rest, {
        api,
        terminal,
        program: 'fieldline-site',
        language,
        time: localTime,
      });
    case 'rules':
      return rulesCommand(rest, { api, terminal, language });
    case 'alarms':
      return alarmsCommand(rest, { api, terminal, language });
    case 'disk':
      return diskCommand(rest, { api, terminal, language });
    case 'parked':
      return parkedCommand(rest, { api, terminal, language });
    case 'version':
      terminal.out(`fieldline-site ${version}\n`);
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
