// A command typed at a terminal: a process of its own, its words and its exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { programsBuilt, startOf } from './programs.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What every program that a test starts has in its environment: it is compiled once, not at each start. */
export const NODE_ENV = {
  NODE_NO_WARNINGS: '1',
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/node'),
};

export interface Typed {
  code: number | null;
  out: string;
  err: string;
}

/** @param file relative to the repository @param env the whole environment */
export function type(
  file: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Typed> {
  return typed([process.execPath], [file, ...argv], env);
}

/** The same where no file takes a byte, as on a disk that has turned read-only. */
export const typeUnwritten: typeof type = (file, argv, env = {}) =>
  typed(['sh', '-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath], [file, ...argv], env);

async function typed(
  [program = '', ...before]: string[],
  [file = '', ...argv]: string[],
  env: Record<string, string>,
): Promise<Typed> {
  await programsBuilt();
  const child = spawn(program, [...before, startOf(file), ...argv], {
    env: { ...NODE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Typed = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  [said.code] = (await once(child, 'close')) as [number | null];
  return said;
}
