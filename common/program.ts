import { ConfigError } from './config.ts';
import { asError } from './log.ts';
import { keepFilesPrivate } from './secret/private-files.ts';
import { EXIT } from './terminal/exit.ts';
import { SecretError } from './secret/secret.ts';

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
    const said = isForPeople(error) ? error.message : refusalOf(error);
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
 * What the system refuses of what a person asked for: a file that may not be read, an address that is taken.
 * null for anything else.
 */
function refusalOf(error: unknown): string | null {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || message === undefined) return null;
  if (code === 'EACCES' || code === 'EPERM') return `${message}; run it as root, or as the user whose it is`;
  return ['ENOENT', 'EEXIST', 'EISDIR', 'ENOTDIR', 'EROFS', 'ENOSPC', 'EADDRNOTAVAIL'].includes(code ?? '')
    ? message
    : null;
}
