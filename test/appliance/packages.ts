// The packages themselves.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import { ROOT } from './machine.ts';

export interface Built {
  /** Path of a package; `version` null is the one of package.json. */
  file(name: 'fieldline-site' | 'fieldline-hq', architecture: 'amd64' | 'arm64', version?: string): string;
  version: string;
  /** A version that is lower than any. */
  older: string;
}

const OLDER = '0.0.1';

const build = (words: string[], env: Record<string, string> = {}): string =>
  execFileSync(process.execPath, [path.join(ROOT, 'packaging/deb/main.ts'), ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

/** Where the packages lie, built or not. */
export function builtPackages(): Built {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    version,
    older: OLDER,
    file: (name, architecture, of = version) =>
      path.join(ROOT, '.fieldline/packages', `${name}_${of}_${architecture}.deb`),
  };
}

export async function packages(checks: Checks): Promise<Built> {
  const built = builtPackages();
  let first = '';
  await checks.check('all four packages are built', () => {
    first = build([]);
    expectEqual(first.trim().split('\n').length, 4, 'packages');
  });
  await checks.check('two builds are the same to the byte', () => {
    expectEqual(
      [build(['site', 'amd64']), build(['hq', 'arm64'])].map((line) => line.trim()),
      [first.split('\n')[0], first.split('\n')[3]],
      'digests',
    );
  });
  await checks.check(
    'an older version is built',
    () => void build(['site', 'amd64'], { FIELDLINE_PACKAGE_VERSION: OLDER }),
  );
  if (checks.failed > 0) throw new Error('without the packages there is nothing to try');
  for (const name of ['fieldline-site', 'fieldline-hq'] as const) {
    for (const architecture of ['amd64', 'arm64'] as const) {
      const file = built.file(name, architecture);
      await checks.check(`lintian has no error: ${name} ${architecture}`, () => {
        const { stdout } = spawnSync('lintian', ['--allow-root', '--fail-on', 'error', file], {
          encoding: 'utf8',
        });
        expectEqual(
          stdout.split('\n').filter((line) => line.startsWith('E:')),
          [],
          'errors',
        );
      });
      checks.atMost(`download of ${name} ${architecture}`, statSync(file).size / 1e6, 50, 'MB');
    }
    checks.figure(
      `installed ${name} amd64`,
      `${/Installed-Size: (\d+)/.exec(execFileSync('dpkg-deb', ['-f', built.file(name, 'amd64')], { encoding: 'utf8' }))?.[1] ?? '?'} ` +
        'KiB',
    );
    await checks.check(`the unit of ${name} is rated below 2.0`, () => {
      const said = execFileSync(
        'systemd-analyze',
        ['security', '--offline=true', path.join(ROOT, 'systemd', `${name}.service`)],
        { encoding: 'utf8' },
      );
      const rating = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
      if (!(rating < 2)) expectMatch(said, /exposure level below 2/, 'rating');
    });
  }
  return built;
}
