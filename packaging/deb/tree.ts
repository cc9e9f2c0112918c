// The files of one package, as they will lie on the machine.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { completion, type Shell } from '../../common/terminal/completion.ts';
import { changelogText } from './changelog.ts';
import { COMPLETIONS, tables } from './commands.ts';
import { controlFiles } from './control.ts';
import { copyrightText, licenceTexts } from './copyright.ts';
import { manualText } from './manual.ts';
import { OBSERVABILITY, PAGES, pageText, PICTURES } from './pages.ts';
import { type Architecture, type Build, NODE_CPU, type Product, type ProgramName } from './product.ts';
import { moduleFolder, ROOT } from './source.ts';

const HERE = import.meta.dirname;
const STRIP: Record<Architecture, { command: string; debianPackage: string }> = {
  amd64: { command: 'x86_64-linux-gnu-strip', debianPackage: 'binutils' },
  arm64: { command: 'aarch64-linux-gnu-strip', debianPackage: 'binutils-aarch64-linux-gnu' },
};

/** Lays the whole package out under `tree`, its control files in `DEBIAN`. */
export function layOut(tree: string, build: Build): void {
  const { product, architecture } = build;
  const { name, program } = product;
  const cpu = NODE_CPU[architecture];
  rmSync(tree, { recursive: true, force: true });
  const put = (target: string, content: string | Buffer, mode = 0o644): void => {
    const file = path.join(tree, target);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  const lib = path.join(tree, 'usr/lib', name);
  mkdirSync(lib, { recursive: true });
  stripped(path.join(moduleFolder(`node-linux-${cpu}`), 'bin', 'node'), path.join(lib, 'node'), architecture);
  cpSync(path.join(ROOT, 'dist', program), lib, { recursive: true });
  for (const module of product.modules(cpu))
    copyModule(module, path.join(lib, 'node_modules', module), { architecture, cpu });

  put(`usr/bin/${name}`, launcher(product), 0o755);
  put(`usr/lib/${name}/defaults.env`, DEFAULTS[program]);
  put(`usr/lib/${name}/backoff`, readFileSync(path.join(HERE, 'backoff.sh')), 0o755);
  put(`usr/lib/systemd/system/${name}.service`, readFileSync(path.join(ROOT, 'systemd', `${name}.service`)));
  put(`etc/${name}/${program}.env`, readFileSync(path.join(HERE, `${program}.env`)), 0o644);
  mkdirSync(path.join(tree, 'etc', name, 'credentials'), { recursive: true });
  const table = tables[program];
  for (const [shell, place] of Object.entries(COMPLETIONS))
    put(place(name), completion(table, shell as Shell));
  const { version, epoch } = build;
  for (const [language, folder] of [
    ['en', 'man8'],
    ['zh', 'zh_CN/man8'],
  ] as const) {
    const page = manualText(product, { table, version, epoch, language });
    put(`usr/share/man/${folder}/${name}.8.gz`, compressed(Buffer.from(page)));
  }
  put(`usr/share/doc/${name}/copyright`, copyrightText(product));
  put(`usr/share/doc/${name}/third-party-licenses.gz`, compressed(Buffer.from(licenceTexts(product, cpu))));
  put(`usr/share/doc/${name}/changelog.gz`, compressed(Buffer.from(changelogText(build))));
  for (const page of [...PAGES, ...OBSERVABILITY]) put(`usr/share/doc/${name}/${page}`, pageText(page));
  for (const picture of PICTURES)
    put(`usr/share/doc/${name}/${picture}`, readFileSync(path.join(ROOT, picture)), 0o644);
  put(
    `usr/share/lintian/overrides/${name}`,
    readFileSync(path.join(HERE, 'lintian-overrides'), 'utf8').replaceAll('@NAME@', name),
  );
  for (const [file, { content, mode }] of Object.entries(controlFiles(build, tree, sizeOf(tree))))
    put(`DEBIAN/${file}`, content, mode);
  settle(tree, build.epoch);
  chmodSync(path.join(tree, 'etc', name, 'credentials'), 0o700);
}

/**
 * What the building of these architectures needs and this machine lacks, as what to install. It is asked
 * before the first package is begun, which takes minutes.
 */
export function missingTools(architectures: readonly Architecture[]): string[] {
  const needed = [
    { command: 'dpkg-deb', debianPackage: 'dpkg' },
    ...architectures.map((architecture) => STRIP[architecture]),
  ];
  return needed
    .filter(({ command }) => spawnSync(command, ['--version'], { stdio: 'ignore' }).error !== undefined)
    .map(({ command, debianPackage }) => `${command} (Debian package ${debianPackage})`);
}

function stripped(from: string, to: string, architecture: Architecture): void {
  execFileSync(
    STRIP[architecture].command,
    ['--strip-unneeded', '--remove-section=.comment', '--remove-section=.note', '-o', to, from],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
}

/** Only what runs on the architecture: no sources, no commands, no binaries of other systems. */
function copyModule(
  module: string,
  target: string,
  { architecture, cpu }: { architecture: Architecture; cpu: string },
): void {
  const from = moduleFolder(module);
  cpSync(from, target, {
    recursive: true,
    filter: (file) => {
      const inside = path.relative(from, file);
      const [top = ''] = inside.split(path.sep);
      if (module === 'better-sqlite3')
        return (
          ['', 'package.json', 'lib', 'LICENSE'].includes(top) ||
          inside === 'prebuilds' ||
          inside === path.join('prebuilds', `linux-${cpu}.node`)
        );
      return !/\.(?:md|map|d\.ts)$/.test(inside) && top !== 'node_modules' && top !== 'bin';
    },
  });
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:node|so)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    stripped(file, `${file}.stripped`, architecture);
    copyFileSync(`${file}.stripped`, file);
    rmSync(`${file}.stripped`);
  }
}

/**
 * What holds for the service and the command line unless the administrator's file, which is read after it,
 * says otherwise.
 */
const DEFAULTS: Record<ProgramName, string> = {
  site: 'CORE_DATA_DIR=/var/lib/fieldline-site\nCORE_ADMIN_SOCKET=/run/fieldline-site/admin.sock\n',
  hq:
    'CORE_DATA_DIR=/var/lib/fieldline-hq\nCORE_ADMIN_SOCKET=/run/fieldline-hq/admin.sock\n' +
    'DATABASE_URL=postgresql:///fieldline-hq?host=/run/postgresql\n' +
    'CORE_DOC_DIR=/var/lib/fieldline-hq/kbdocs\n',
};

/**
 * The machine's PostgreSQL knows its callers by their system user. What the configuration names of the
 * credentials, which are root's, goes with the command as it does with the service.
 */
const AS_SERVICE = `command=
value=
for word in "$@"; do
  case "$value$word" in
  --lang) value=of: ;;
  of:*) value= ;;
  -*) ;;
  *)
    command=$word
    break
    ;;
  esac
done
case "$command" in
migrate | backup | restore)
  if [ "$(id -u)" = 0 ]; then
    CREDENTIALS_DIRECTORY=$(mktemp -d)
    trap 'rm -rf "$CREDENTIALS_DIRECTORY"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    for file in /etc/fieldline-hq/credentials/*; do
      [ ! -f "$file" ] || install -m 0400 -o fieldline-hq "$file" "$CREDENTIALS_DIRECTORY/hq_\${file##*/}"
    done
    chown fieldline-hq "$CREDENTIALS_DIRECTORY"
    runuser -u fieldline-hq -- \\
      env USER=fieldline-hq CREDENTIALS_DIRECTORY="$CREDENTIALS_DIRECTORY" "$0" "$@"
    exit
  fi
  ;;
esac`;

/**
 * The command at the terminal: the same program with the same configuration as the service, credentials
 * included where they may be read.
 */
export function launcher({ name, program }: Product): string {
  return `#!/bin/sh
# The command line of ${name}, with the configuration of the service.
if [ -e /etc/${name}/${program}.env ] && [ ! -r /etc/${name}/${program}.env ]; then
  echo "${name}: /etc/${name}/${program}.env may not be read by you; run it as root" >&2
  exit 2
fi
${program === 'hq' ? AS_SERVICE : ''}
if [ -z "\${CREDENTIALS_DIRECTORY:-}" ] && [ -r /etc/${name}/credentials ]; then
  CREDENTIALS_DIRECTORY=$(mktemp -d)
  export CREDENTIALS_DIRECTORY
  trap 'rm -rf "$CREDENTIALS_DIRECTORY"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  for file in /etc/${name}/credentials/*; do
    [ -f "$file" ] && ln -s "$file" "$CREDENTIALS_DIRECTORY/${program}_\${file##*/}"
  done
fi
# Node reads this one before the files of variables.
if [ -z "\${NODE_EXTRA_CA_CERTS:-}" ] && [ -r /etc/${name}/${program}.env ]; then
  NODE_EXTRA_CA_CERTS=$(sed -n 's/^[[:space:]]*NODE_EXTRA_CA_CERTS=//p' /etc/${name}/${program}.env |
    tail -n 1 | tr -d '\\042\\047\\015')
  if [ -n "$NODE_EXTRA_CA_CERTS" ]; then export NODE_EXTRA_CA_CERTS; else unset NODE_EXTRA_CA_CERTS; fi
fi
/usr/lib/${name}/node --env-file=/usr/lib/${name}/defaults.env \\
  --env-file-if-exists=/etc/${name}/${program}.env /usr/lib/${name}/main.mjs "$@"
`;
}

const compressed = (content: Buffer): Buffer => gzipSync(content, { level: 9 });

/** KiB, as dpkg counts. */
function sizeOf(tree: string): number {
  return readdirSync(tree, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isFile() ? Math.ceil(statSync(path.join(entry.parentPath, entry.name)).size / 1024) : 1),
    0,
  );
}

/** The same modes and times whoever builds it and when. */
function settle(tree: string, epoch: number): void {
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const executable = (lstatSync(file).mode & 0o100) !== 0;
    if (entry.isDirectory()) chmodSync(file, 0o755);
    else if (!/\.(?:node|so|mjs|js|cjs|json|sql)$/.test(entry.name))
      chmodSync(file, executable ? 0o755 : lstatSync(file).mode & 0o777);
    else chmodSync(file, 0o644);
    lutimesSync(file, epoch, epoch);
  }
  chmodSync(tree, 0o755);
  lutimesSync(tree, epoch, epoch);
}
