// npm run package [-- site|hq|amd64|arm64 ...]: the Debian packages, in .fieldline/packages. Needs dpkg-deb
// and binutils for both architectures.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { readPackageConfig } from './config.ts';
import { type Architecture, type Product, products } from './product.ts';
import { ROOT } from './source.ts';
import { layOut, missingTools } from './tree.ts';

const OUT = path.join(ROOT, '.fieldline', 'packages');
const config = readPackageConfig();
const architectures: readonly Architecture[] = ['amd64', 'arm64'];

function main(asked: readonly string[]): void {
  const known = [...Object.keys(products), ...architectures];
  const unknown = asked.filter((word) => !known.includes(word));
  if (unknown.length > 0) return refuse(`${unknown.join(', ')}: say ${known.join(', ')}, or nothing for all`);
  const chosenProducts = Object.values(products).filter(
    ({ program }) => !asked.some((word) => word in products) || asked.includes(program),
  );
  const chosenArchitectures = architectures.filter(
    (one) =>
      !asked.some((word) => (architectures as readonly string[]).includes(word)) || asked.includes(one),
  );
  const missing = missingTools(chosenArchitectures);
  if (missing.length > 0)
    return refuse(`missing for the packages: ${missing.join(', ')}; install them first`);
  execFileSync(
    process.execPath,
    [path.join(ROOT, 'packaging', 'build.mjs'), ...chosenProducts.map(({ program }) => program)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  mkdirSync(OUT, { recursive: true });
  for (const product of chosenProducts)
    for (const architecture of chosenArchitectures) pack(product, architecture);
}

function refuse(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 2;
}

function pack(product: Product, architecture: Architecture): void {
  const version =
    config.version ??
    (JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
  const epoch = lastChange();
  const tree = path.join(OUT, `${product.name}_${architecture}`);
  const file = path.join(OUT, `${product.name}_${version}_${architecture}.deb`);
  layOut(tree, { product, architecture, version, epoch });
  rmSync(file, { force: true });
  // More than one thread, and the bytes depend on their number.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z6', '--threads-max=1', '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...config.environment, SOURCE_DATE_EPOCH: String(epoch) },
  });
  rmSync(tree, { recursive: true, force: true });
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  process.stdout.write(
    `${path.relative(ROOT, file)} ${(statSync(file).size / 1e6).toFixed(1)} MB ${sha256}\n`,
  );
}

/** Time of the last commit in seconds, so that two builds of one commit are the same to the byte. */
function lastChange(): number {
  if (config.sourceDateEpoch !== null) return config.sourceDateEpoch;
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim());
}

main(process.argv.slice(2));
