// PostgreSQL's own tools, where they are installed.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { environment } from '../../common/config.ts';

export type ToolName = 'pg_dump' | 'pg_restore';

/** As its own `--version` says. */
export interface ToolVersion {
  /** Such as `15.13`. */
  full: string;
  /** A tool serves servers and archives up to its own. */
  major: number;
}

/** What the tool said when it failed, in one line. */
export class ToolFailed extends Error {}

/** @returns null where the tool is not installed */
export async function versionOf(tool: ToolName): Promise<ToolVersion | null> {
  try {
    const { stdout } = await promisify(execFile)(tool, ['--version'], { env: envOf({}) });
    const full = /\(PostgreSQL\) (\d[\w.]*)/.exec(stdout)?.[1];
    return full === undefined ? null : { full, major: Number.parseInt(full, 10) };
  } catch (error) {
    // A wrapper without the tool that it stands for ends with an exit code.
    if (['ENOENT', 'EACCES'].includes(String((error as { code?: unknown }).code))) return null;
    if (typeof (error as { code?: unknown }).code === 'number') return null;
    throw error;
  }
}

/**
 * Runs a tool, which asks for no password, and hands over what it writes.
 * @throws ToolFailed
 */
export async function runTool<T>(
  tool: ToolName,
  { argv, env = {} }: { argv: readonly string[]; env?: Record<string, string> },
  take: (output: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const child = spawn(tool, [...argv], { env: envOf(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const [taken, ended] = await Promise.allSettled([
    take(child.stdout).catch((error: unknown) => {
      child.kill();
      throw error;
    }),
    endOf(child),
  ]);
  if (ended.status === 'rejected') throw ended.reason;
  const { code, said } = ended.value;
  // The output of a tool that fails breaks off; what the tool said is the cause.
  if (code !== 0 && code !== null) throw new ToolFailed(said ?? `${tool} ended with ${code}`);
  if (taken.status === 'rejected') throw taken.reason;
  if (code === null) throw new ToolFailed(`${tool} was killed`);
  return taken.value;
}

interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  /** The first line of what it complained of. */
  said: string | undefined;
}

async function endOf(child: ChildProcess): Promise<Ended> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += said.length < 4_096 ? text : ''));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: said.split('\n').find((line) => line.trim() !== '') };
}

/** What the tools say is read by people who look for it: in English. */
const envOf = (more: Record<string, string>): Record<string, string | undefined> => ({
  ...environment,
  LC_ALL: 'C',
  ...more,
});
