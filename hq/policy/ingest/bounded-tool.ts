import { spawn } from 'node:child_process';

export interface ToolBounds {
  /** ms. */
  withinMs: number;
  /** All that it may have in memory, MB. */
  memoryMb: number;
  /** Of what it says, bytes. */
  maxOutput: number;
  /** Folders in which programs are looked for, as in PATH. */
  searchPath: string;
  /** Ends it. */
  signal?: AbortSignal;
}

/**
 * For `sh -c BOUNDED sh KILOBYTES PROGRAM …`: the program has no more memory than that, and the system ends
 * it when this process ends, however it does.
 */
export const BOUNDED =
  'ulimit -c 0 && ulimit -d "$1" && shift && ' +
  'if [ -x /usr/bin/setpriv ]; then exec /usr/bin/setpriv --pdeathsig KILL -- "$@"; fi; exec "$@"';

export type ToolAnswer = { output: Buffer } | { failed: string };

export interface ToolCall {
  file: string;
  args: readonly string[];
  input?: Buffer;
  bounds: ToolBounds;
}

/**
 * Runs a program of the machine for one piece of work, bounded in time, memory and output, with nothing of
 * the environment but where programs are found. The answer says why there is none.
 * @throws the reason of a signal that was given
 */
export async function runTool({ file, args, input, bounds }: ToolCall): Promise<ToolAnswer> {
  bounds.signal?.throwIfAborted();
  const child = spawn(
    '/bin/sh',
    ['-c', BOUNDED, 'sh', String(bounds.memoryMb * 1024), file, ...args],
    // A group of its own, so that what it starts ends with it. One thread: the machine has other work.
    {
      env: { PATH: bounds.searchPath, OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    },
  );
  let failed: string | null = null;
  const end = (why: string): void => {
    failed ??= why;
    if (child.pid !== undefined) endGroup(child.pid);
  };
  const late = setTimeout(() => end(`it took more than ${bounds.withinMs / 1000} s`), bounds.withinMs);
  const output: Buffer[] = [];
  let [size, said] = [0, ''];
  child.stdout.on('data', (part: Buffer) => {
    size += part.length;
    if (size > bounds.maxOutput) end('it answered with more than is taken');
    else output.push(part);
  });
  child.stderr.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-500)));
  // A program that ends before it has read everything closes its end.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const leave = (): void => end('it was given up');
  bounds.signal?.addEventListener('abort', leave);
  const code = await new Promise<number | null>((resolve) =>
    child.once('close', resolve).once('error', () => resolve(null)),
  );
  clearTimeout(late);
  bounds.signal?.removeEventListener('abort', leave);
  bounds.signal?.throwIfAborted();
  if (failed !== null) return { failed };
  if (code === 0) return { output: Buffer.concat(output) };
  return { failed: said.trim().split('\n').at(-1) ?? `it ended with ${code}` };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
