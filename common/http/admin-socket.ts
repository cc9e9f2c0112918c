import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type http from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { Lifecycle } from '../lifecycle.ts';
import { listen } from './listen.ts';

/** For the owner and the group alone: who may write to it may do everything (DESIGN.md, "The API"). */
const MODE = 0o660;

/**
 * Opens the local socket of the command line. A socket that nobody answers at is a leftover and goes; one
 * at which another process of the program answers stays that one's.
 * @returns whether it was opened @throws CannotListen
 */
export async function openAdminSocket(
  path: string,
  app: http.RequestListener,
  lifecycle: Lifecycle,
): Promise<boolean> {
  mkdirSync(dirname(path), { recursive: true });
  if (await answers(path)) return false;
  rmSync(path, { force: true });
  const listening = await listen(app, { at: { socket: path } });
  chmodSync(path, MODE);
  lifecycle.onStop('admin socket', () => listening.close());
  return true;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const caller = connect(path);
    const end = (there: boolean) => () => {
      caller.destroy();
      resolve(there);
    };
    caller.once('connect', end(true)).once('error', end(false));
  });
}
