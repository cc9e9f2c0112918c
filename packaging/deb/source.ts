// Modules as the lock file pins them: those installed here, and those of the other architecture fetched by
// npm.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readPackageConfig } from './config.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const CACHE = path.join(ROOT, '.fieldline', 'package-cache');

interface Locked {
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
}

export const locked = (
  JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  }
).packages;

/**
 * Folder of a module with exactly the content that the lock file names. @throws Error when it cannot be had
 */
export function moduleFolder(name: string): string {
  const entry = locked[`node_modules/${name}`];
  if (!entry?.integrity) throw new Error(`${name} is not in package-lock.json`);
  const installed = path.join(ROOT, 'node_modules', name);
  if (existsSync(path.join(installed, 'package.json'))) {
    const { version } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    if (version === entry.version) return installed;
  }
  return fetched(name, entry.version, entry.integrity);
}

function fetched(name: string, version: string, integrity: string): string {
  const folder = path.join(CACHE, `${name.replaceAll('/', '-')}-${version}`);
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  mkdirSync(CACHE, { recursive: true });
  process.stderr.write(`fetching ${name} ${version} …\n`);
  const said = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], {
    cwd: CACHE,
    encoding: 'utf8',
    env: withoutOurNode(),
  });
  const archive = path.join(CACHE, said.trim().split('\n').at(-1) ?? '');
  const [algorithm = '', wanted] = integrity.split(/-(.*)/s);
  if (createHash(algorithm).update(readFileSync(archive)).digest('base64') !== wanted)
    throw new Error(`${name} ${version} is not what package-lock.json names`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial);
  execFileSync('tar', ['-xzf', archive, '-C', partial, '--strip-components=1', '--no-same-owner']);
  renameSync(partial, folder);
  rmSync(archive);
  return folder;
}

/** npm must not run on the Node that lies in node_modules. */
function withoutOurNode(): NodeJS.ProcessEnv {
  const { PATH = '', ...rest } = readPackageConfig().environment;
  return {
    ...rest,
    PATH: PATH.split(path.delimiter)
      .filter((entry) => !entry.includes('node_modules'))
      .join(path.delimiter),
  };
}
