// The control files: what dpkg knows of a package, and what happens when it comes and goes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Build, Product } from './product.ts';

export interface ControlFile {
  content: string;
  mode: number;
}

export function controlFiles(build: Build, tree: string, kib: number): Record<string, ControlFile> {
  const { product } = build;
  return {
    control: { content: control(build, kib), mode: 0o644 },
    conffiles: { content: `/etc/${product.name}/${product.program}.env\n`, mode: 0o644 },
    md5sums: { content: digests(tree), mode: 0o644 },
    postinst: { content: postinst(product), mode: 0o755 },
    prerm: { content: prerm(product), mode: 0o755 },
    postrm: { content: postrm(product), mode: 0o755 },
  };
}

function control({ product, architecture, version }: Build, kib: number): string {
  const list = (field: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `${field}: ${names.join(', ')}\n`;
  return (
    `Package: ${product.name}\nVersion: ${version}\nArchitecture: ${architecture}\n` +
    `Maintainer: Fieldline packages <packages@fieldline.invalid>\nInstalled-Size: ${kib}\n` +
    list('Depends', product.depends) +
    list('Recommends', product.recommends) +
    list('Suggests', product.suggests) +
    `Section: net\nPriority: optional\n` +
    `Description: ${product.summary}\n${product.description.map((line) => ` ${line}\n`).join('')}`
  );
}

/** Of everything but the control files themselves. */
function digests(tree: string): string {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(tree, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('DEBIAN/') && !file.startsWith('etc/'))
    .sort()
    .map(
      (file) =>
        `${createHash('md5')
          .update(readFileSync(path.join(tree, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');
}

/**
 * Makes user and directories, and starts the service unless the administrator masked, disabled or stopped it.
 * Asks nothing.
 */
function postinst({ name, program }: Product): string {
  const database = program === 'hq' ? HUB_DATABASE : '';
  // The address of a database may have a password in it.
  const closed =
    program === 'hq'
      ? `  if [ -z "$2" ] && [ -f /etc/${name}/hq.env ]; then
    chgrp ${name} /etc/${name}/hq.env
    chmod 0640 /etc/${name}/hq.env
  fi
`
      : '';
  return `#!/bin/sh
set -e

if [ "$1" = configure ]; then
  if ! getent passwd ${name} >/dev/null; then
    # It warns that this home is not there, which is meant; what it says matters only when it fails.
    said=$(adduser --system --group --no-create-home --home /nonexistent --gecos "Fieldline" \\
      ${name} 2>&1) || { echo "$said" >&2; exit 1; }
  fi
  if [ ! -d /var/lib/${name} ]; then
    install -d -m 0750 -o ${name} -g ${name} /var/lib/${name}
  fi
  chmod 0700 /etc/${name}/credentials
${closed}${database}fi
${program === 'hq' ? HUB_LACKS : ''}
if [ "$1" = configure ] || [ "$1" = abort-upgrade ] ||
  [ "$1" = abort-deconfigure ] || [ "$1" = abort-remove ]; then
  # Its removal had masked it: it is not there to be restarted.
  removed=
  if [ -e /var/lib/systemd/deb-systemd-helper-masked/${name}.service ]; then
    removed=yes
  fi
  deb-systemd-helper unmask ${name}.service >/dev/null || true
  if deb-systemd-helper --quiet was-enabled ${name}.service; then
    deb-systemd-helper enable ${name}.service >/dev/null || true
  else
    deb-systemd-helper update-state ${name}.service >/dev/null || true
  fi
  if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
    if [ -n "$2" ] && [ -z "$removed" ]; then
      deb-systemd-invoke try-restart ${name}.service >/dev/null || true
    ${program === 'hq' ? 'elif [ -z "$lacks" ]; then' : 'else'}
      deb-systemd-invoke start ${name}.service >/dev/null || true
    fi
  fi
fi

${program === 'site' ? SITE_NEXT : HUB_NEXT}

exit 0
`;
}

/**
 * A role and a database of this machine's PostgreSQL, reached through its socket by the name of the system
 * user.
 */
const HUB_DATABASE = `  if [ -S /run/postgresql/.s.PGSQL.5432 ] &&
    getent passwd postgres >/dev/null && command -v runuser >/dev/null; then
    as_postgres() { runuser -u postgres -- psql -X -q -A -t -d postgres "$@"; }
    missing() { [ "$(as_postgres -c "select count(*) from $1 where $2 = 'fieldline-hq'" 2>/dev/null)" = 0 ]; }
    not_made() { echo "fieldline-hq: the database $1could not be made; see fieldline-hq(8)" >&2; }
    if missing pg_roles rolname; then
      as_postgres -c 'create role "fieldline-hq" login' || not_made 'role '
    fi
    if missing pg_database datname; then
      as_postgres -c \\
        'create database "fieldline-hq" owner "fieldline-hq"'" encoding 'UTF8' template template0" ||
        not_made ''
    fi
  fi
`;

/** A hub without a database would only fail to start; `lacks` says that there is none. */
const HUB_LACKS = `
lacks=
if [ "$1" = configure ] && [ -z "$2" ] && [ ! -S /run/postgresql/.s.PGSQL.5432 ] &&
  ! grep -qs '^DATABASE_URL=.' /etc/fieldline-hq/hq.env; then
  lacks=database
fi
`;

/** The address of this machine on its network, for what is to be typed elsewhere. */
const LAN_ADDRESS = `address=$(hostname -I 2>/dev/null | cut -d ' ' -f 1)`;

/** What to do after the first installation, in two lines. */
const SITE_NEXT = `if [ "$1" = configure ] && [ -z "$2" ]; then
  ${LAN_ADDRESS}
  echo 'fieldline-site runs. Next: fieldline-site setup (headquarters), fieldline-site node add (cameras).'
  echo "Its page: http://\${address:-127.0.0.1}:8080, to log in: fieldline-site login"
fi`;

const HUB_NEXT = `if [ -n "$lacks" ]; then
  echo 'fieldline-hq does not run yet: no PostgreSQL here, and no DATABASE_URL in /etc/fieldline-hq/hq.env.'
  echo 'Next: apt install postgresql; dpkg-reconfigure fieldline-hq; systemctl start fieldline-hq'
elif [ "$1" = configure ] && [ -z "$2" ]; then
  ${LAN_ADDRESS}
  echo 'fieldline-hq runs. Next: fieldline-hq user add (who uses its page), fieldline-hq site add (sites).'
  echo "Its page: http://\${address:-127.0.0.1}:8090; TLS and address: /etc/fieldline-hq/hq.env"
fi`;

/** On an upgrade the service runs on until the new version is there. */
function prerm({ name }: Product): string {
  return `#!/bin/sh
set -e

if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop ${name}.service >/dev/null || true
fi

exit 0
`;
}

/** Removal keeps data and configuration; purge leaves nothing, the database of a hub excepted. */
function postrm({ name }: Product): string {
  return `#!/bin/sh
set -e

if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi

if [ "$1" = remove ] && command -v deb-systemd-helper >/dev/null; then
  deb-systemd-helper mask ${name}.service >/dev/null || true
fi

if [ "$1" = purge ]; then
  if command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper purge ${name}.service >/dev/null || true
    deb-systemd-helper unmask ${name}.service >/dev/null || true
  fi
  rm -rf /var/lib/${name} /etc/${name} /run/${name}
  if getent passwd ${name} >/dev/null; then
    deluser --quiet --system ${name} >/dev/null || true
  fi
  if getent group ${name} >/dev/null; then
    delgroup --quiet --system --only-if-empty ${name} >/dev/null || true
  fi
fi

exit 0
`;
}
