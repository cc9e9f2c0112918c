// A real browser for tests: the Chromium in a package where it is for this processor, otherwise the system's.
import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from 'playwright-core';
import { onDemand } from './on-demand.ts';
import type { Maker } from './served.ts';
import { ROOT } from './sources.ts';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const CARRIER = path.join(ROOT, 'node_modules/@sparticuz/chromium');
const CACHE = path.join(ROOT, 'node_modules/.cache');
/**
 * The package unpacks into its process's folder for temporary files. Its libraries are what a bare Debian
 * lacks.
 */
const UNPACK = `import { inflate } from '@sparticuz/chromium';
for (const name of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'])
  await inflate(process.argv[1] + '/bin/' + name);`;
/**
 * Without a single font the browser ends itself. The folder is told from that of this file. Where the system
 * says which fonts it prefers, that is kept.
 */
const FONTS = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir><include ignore_missing="yes">/etc/fonts/fonts.conf</include></fontconfig>
`;
const ARGS = [
  // Names other than this machine's are not even looked up.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--disable-dev-shm-usage',
];
/** A page of a test lives for seconds: what optimizing its scripts costs does not come back. */
const BRIEF = '--js-flags=--no-opt';

/** A browser of one's own. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch(await launchOptions());
}

/** A browser as a person has it: it keeps in a folder what it has fetched and compiled. */
export async function startKeptChromium(
  folder: string,
  page: Pick<BrowserContextOptions, 'locale' | 'viewport'>,
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...(await launchOptions([])), ...page });
}

/** One's own, and the system's where it has one: often newer than the package's. */
export async function startSystemChromium(): Promise<Browser> {
  const own = systemChromium();
  return own === undefined ? startChromium() : chromium.launch(ofSystem(own));
}

/** The browser of a test run, to which its workers connect by the address that is answered. */
export const browserOfRun: Maker = async (scene) => {
  const server = await chromium.launchServer(await launchOptions());
  scene.onClose(() => server.close());
  return () => server.wsEndpoint();
};

let connected: Promise<Browser> | undefined;
/** The browser of the run. What a test sees in it is of contexts of its own. */
export const chromiumOfRun = (): Promise<Browser> =>
  (connected ??= onDemand<string>('browser').then((endpoint) => chromium.connect(endpoint)));

/**
 * With the defaults of a browser's security; without its sandbox, which a container may not have. The package
 * has the Chromium that draws no windows, which loads a page for less than half the processor time.
 */
async function launchOptions(more: readonly string[] = [BRIEF]): Promise<LaunchOptions> {
  if (process.arch !== 'x64') return ofSystem(systemChromium(), more);
  const folder = await unpacked();
  const env = {
    LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    HOME: folder,
    TMPDIR: os.tmpdir(),
  };
  return { executablePath: path.join(folder, 'chromium'), args: [...ARGS, ...more], env };
}

const ofSystem = (executablePath: string | undefined, more: readonly string[] = [BRIEF]): LaunchOptions => {
  if (executablePath === undefined)
    throw new Error(
      'the package with a browser has none for this processor: install the Chromium of the system',
    );
  return { executablePath, args: [...ARGS, ...more] };
};

function systemChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // not there
    }
  });
}

/** The folder with the package's browser, unpacked once a version; that takes several seconds. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(CARRIER, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = path.join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const part = mkdtempSync(path.join(CACHE, 'chromium-part-'));
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK, CARRIER], {
      cwd: ROOT,
      env: { TMPDIR: part },
    });
    writeFileSync(path.join(part, 'fonts.conf'), FONTS);
    // Complete or not there at all, also when two processes unpack at once.
    if (!existsSync(folder)) renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}
