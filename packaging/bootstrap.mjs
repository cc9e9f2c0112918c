// Runs a program of this checkout on the pinned Node, after making sure that its dependencies are installed.
//   node packaging/bootstrap.mjs run <file> [arguments]    a TypeScript or JavaScript source
//   node packaging/bootstrap.mjs <tool> [arguments]        a tool from node_modules/.bin
// It is plain JavaScript because it must run on Node 20 in a fresh clone, before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const REPEAT_MS = 500;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function pinnedNode() {
  const pinned = path.join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (process.platform === 'linux' && existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `Fieldline needs Node 24 or later; this is ${process.version}, and no pinned Node is installed for ` +
      `${process.platform}-${process.arch}. Install Node 24, or run "npm ci --include=optional" on ` +
      'Linux x64 or arm64.',
  );
}

function programOf([verb, ...rest]) {
  if (verb === undefined) return fail('usage: node packaging/bootstrap.mjs run <file> | <tool> [arguments]');
  if (verb !== 'run') {
    const bin = path.join(root, 'node_modules', '.bin', verb);
    if (!existsSync(bin)) return fail(`"${verb}" is neither "run" nor a tool in node_modules/.bin`);
    return [realpathSync(bin), ...rest];
  }
  const [file, ...args] = rest;
  if (file === undefined) return fail('usage: node packaging/bootstrap.mjs run <file> [arguments]');
  const full = path.resolve(root, file);
  if (!existsSync(full)) return fail(`there is no ${file}`);
  return [full, ...args];
}

// Ctrl-C reaches this process twice: from the terminal, and once more from npm, which forwards it.
// The program would take the second as "stop at once", so it lives in a process group of its own
// and hears of a signal from here, once.
function passSignals(child) {
  const last = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = Date.now();
      const repeated = now - (last.get(signal) ?? -Infinity) < REPEAT_MS;
      last.set(signal, now);
      if (!repeated) child.kill(signal);
    });
  }
}

await ensureInstalled(root, fail);
const args = programOf(process.argv.slice(2));
const child = spawn(pinnedNode(), args, { stdio: 'inherit', detached: true });
passSignals(child);
child.on('error', (error) => fail(`cannot start ${args[0]}: ${error.message}`));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (os.constants.signals[signal] ?? 0);
  process.exit();
});
