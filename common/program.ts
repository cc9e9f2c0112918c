import { userInfo } from 'node:os';
import { ConfigError, environment } from './config.ts';
import { asError } from './log.ts';
import { type Language, translate } from './message.ts';
import { systemRefusals } from './program-messages.ts';
import { keepFilesPrivate } from './secret/private-files.ts';
import { SecretError } from './secret/secret.ts';
import { UsageError } from './terminal/command.ts';
import { EXIT } from './terminal/exit.ts';
import { languageOf, takeLanguage } from './terminal/language.ts';

/** A second signal within this time is the terminal's and npm's echo of the first. */
const ECHO_MS = 1_000;

export interface Program {
  start(): Promise<{ stop(): Promise<void>; failed?: Promise<Error> }>;
  /** Any other command line. @returns the exit code, or `run` where it asks to run the program */
  command(argv: string[]): Promise<number | 'run'>;
}

/**
 * Runs `run` until a signal or a fatal failure, or another command to its end.
 * The first signal drains; a later one ends the process at once.
 * @returns the exit code
 */
export async function runProgram(name: string, argv: string[], program: Program): Promise<number> {
  keepFilesPrivate();
  try {
    // The reader of command lines is not loaded for these: it would stay in the memory of the service.
    const plain = argv.length === 0 || (argv.length === 1 && argv[0] === 'run');
    const outcome = plain ? 'run' : await program.command(argv);
    if (outcome !== 'run') return outcome;
    process.title = name;
    return await serve(program);
  } catch (error) {
    const said = isForPeople(error) ? error.message : refusalOf(error, languageFor(argv));
    if (said === null) throw error;
    process.stderr.write(asError(`${name}: ${said}\n`));
    return EXIT.bad;
  }
}

async function serve(program: Program): Promise<number> {
  const signalled = firstSignal();
  const running = await program.start();
  const never = new Promise<never>(() => undefined);
  const failure = await Promise.race([signalled.then(() => null), running.failed ?? never]);
  // A store that failed a sync must be left as it is: an orderly end would write on what cannot be trusted.
  if (failure) process.kill(process.pid, 'SIGKILL');
  await running.stop();
  return 0;
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const onSignal = (): void => {
      const now = performance.now();
      first ??= now;
      if (now - first > ECHO_MS) process.exit(130);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** Errors whose message is the whole answer; a stack would only hide it. */
function isForPeople(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof SecretError ||
    (error instanceof Error && 'forPeople' in error && error.forPeople === true)
  );
}

/**
 * What the system refuses of what a person asked for, such as a file that may not be read or an address that
 * is not of this machine. null for anything else.
 */
function refusalOf(error: unknown, language: Language): string | null {
  const { code = '', message, syscall, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  if (syscall === undefined || message === undefined) return null;
  const about = dest ?? path ?? addressOf(error) ?? message;
  return translate(systemRefusals, { code, params: { path: about, code, user: userName() } }, language);
}

/** What could not be listened on; undefined for anything else. */
function addressOf(error: unknown): string | undefined {
  const { address, port } = error as { address?: string; port?: number };
  return address === undefined ? undefined : `${address}:${port}`;
}

/** A user that has no name on this machine, as in a container, is known by number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** That of the command line. One that cannot be read is refused by the command itself. */
function languageFor(argv: readonly string[]): Language {
  try {
    return takeLanguage(argv, environment).language;
  } catch (error) {
    if (error instanceof UsageError) return languageOf(environment);
    throw error;
  }
}
