// A site and its headquarters from their packages on one machine: joined as a technician does it, and removed
// again.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expectStatus, request, until } from '../support/request.ts';
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import { joinedLife } from './joined-life.ts';
import type { Machine } from './machine.ts';
import type { Built } from './packages.ts';
import { HUB, Pair, SITE } from './pair.ts';

/** What a purge must not leave behind. */
const LEFT =
  "find / -xdev -name '*fieldline*' -not -path '/proc/*' -not -path '/var/log/*' -not -path '/root/*'; " +
  'getent passwd fieldline-site fieldline-hq || true; getent group fieldline-site fieldline-hq || true';
const DATABASE = 'postgres://hub:pass-word@127.0.0.1/elsewhere';

const portOf = (at: string): string => at.split(':')[1] ?? '';

export async function together(checks: Checks, machine: Machine, built: Built): Promise<void> {
  machine.unpack();
  machine.carry(built.file('fieldline-site', 'amd64', built.older), 'older.deb');
  machine.carry(built.file('fieldline-site', 'amd64'), 'site.deb');
  machine.carry(built.file('fieldline-hq', 'amd64'), 'hq.deb');
  await checks.check('where no systemd runs it is installed, upgraded and purged all the same', () => {
    for (const file of ['older.deb', 'site.deb', 'hq.deb'])
      machine.mustWhileOff('apt-get', 'install', '-y', `/root/${file}`);
    machine.mustWhileOff('apt-get', 'purge', '-y', 'fieldline-site', 'fieldline-hq');
    expectEqual(machine.mustWhileOff('sh', '-c', LEFT).trim(), '', 'left');
  });
  await machine.boot();
  await checks.check('removal keeps data and configuration', () => {
    machine.must('apt-get', 'install', '-y', '/root/site.deb');
    machine.must('apt-get', 'purge', '-y', 'fieldline-site');
    machine.must('apt-get', 'install', '-y', '/root/older.deb');
    machine.must('apt-get', 'remove', '-y', 'fieldline-site');
    expectEqual(
      ['var/lib/fieldline-site/secrets/admin-key', 'etc/fieldline-site/site.env'].map((file) =>
        existsSync(path.join(machine.dir, file)),
      ),
      [true, true],
      'kept',
    );
    machine.must('apt-get', 'install', '-y', '/root/older.deb');
    expectEqual(machine.property(SITE, 'ActiveState'), 'active', 'state after it is installed again');
  });
  const pair = Pair.on(machine);
  await headquarters(checks, pair);
  await joined(checks, pair);
  await joinedLife(checks, pair);
  await otherDatabase(checks, machine);
  await checks.check('purge leaves nothing', () => {
    machine.must('apt-get', 'purge', '-y', 'fieldline-site', 'fieldline-hq');
    expectEqual(
      // What the administrator made is the administrator's, as is the data in a folder of their own.
      machine.must('sh', '-c', `rm -rf /srv/data /etc/systemd/system/fieldline-*.d; ${LEFT}`).trim(),
      '',
      'left',
    );
  });
}

async function headquarters(checks: Checks, pair: Pair): Promise<void> {
  const { machine, hub } = pair;
  await checks.check(
    'headquarters finds the PostgreSQL of its machine and runs, and its file is read by nobody else',
    async () => {
      machine.must('apt-get', 'install', '-y', '/root/hq.deb');
      await until(
        'the hub is ready',
        async () => machine.property(HUB, 'StatusText').startsWith('serving'),
        60_000,
      );
      expectMatch(
        machine.must('stat', '-c', '%U %G %a', '/etc/fieldline-hq/hq.env'),
        /^root fieldline-hq 640/,
        'owner',
      );
      const stranger = machine.run('runuser', '-u', 'nobody', '--', 'fieldline-hq', 'version');
      expectEqual(stranger.code, 2, 'exit code for a stranger');
      expectMatch(stranger.out, /run it as root/, 'what a stranger is told');
    },
  );
  await checks.check(
    'an upgrade of headquarters keeps what the administrator wrote and allowed',
    async () => {
      machine.must(
        'sh',
        '-c',
        `printf 'CORE_LISTEN=0.0.0.0:${portOf(hub)}\\n' >> /etc/fieldline-hq/hq.env && chmod 0600 ` +
          `/etc/fieldline-hq/hq.env && systemctl restart ${HUB}`,
      );
      const before = machine.read('etc/fieldline-hq/hq.env');
      machine.must('apt-get', 'install', '-y', '--reinstall', '/root/hq.deb');
      await pair.ready('hq');
      expectEqual(
        [
          machine.read('etc/fieldline-hq/hq.env') === before,
          machine.must('stat', '-c', '%a', '/etc/fieldline-hq/hq.env').trim(),
        ],
        [true, '600'],
        'configuration',
      );
      machine.must('chmod', '0640', '/etc/fieldline-hq/hq.env');
    },
  );
  await checks.check(
    'the administrator brings the database up to date',
    () => void machine.must('fieldline-hq', 'migrate'),
  );
}

async function joined(checks: Checks, pair: Pair): Promise<void> {
  const { machine, site, hub } = pair;
  await checks.check('setup with a wrong key says so and saves nothing', () => {
    [pair.uplinkKey = ''] =
      /site-\S+:fls_\S+/.exec(machine.must('fieldline-hq', 'site', 'add', 'tunnel-7', '--tenant', 'acme')) ??
      [];
    const before = machine.read('etc/fieldline-site/site.env');
    const { code, out } = machine.run(
      'fieldline-site',
      'setup',
      '--instance',
      'tunnel-7',
      '--url',
      `http://${hub}`,
      '--key',
      `${pair.uplinkKey}x`,
    );
    expectEqual(
      [code, machine.read('etc/fieldline-site/site.env') === before],
      [1, true],
      'exit code and file',
    );
    expectMatch(out, /does not work/, 'what it says');
  });
  await checks.check(
    'setup joins the site to headquarters with its key as a credential, and an event arrives there',
    async () => {
      machine.must(
        'fieldline-site',
        'setup',
        '--instance',
        'tunnel-7',
        '--url',
        `http://${hub}`,
        '--key',
        pair.uplinkKey,
      );
      await pair.configure(`CORE_LISTEN=0.0.0.0:${portOf(site)}`);
      // A file that goes while grep reads the folder is no finding.
      expectEqual(
        machine
          .run(
            'sh',
            '-c',
            `grep -rlsF '${pair.uplinkKey}' /etc/fieldline-site/site.env /var/lib/fieldline-site`,
          )
          .out.trim(),
        '',
        'files beside the data with the key',
      );
      pair.key = pair.addNode('acme', 'gate');
      expectStatus(await pair.post(1), 201);
      await pair.arrived();
      machine.must('fieldline-site', 'check');
      await pair.said(/^storing; link to headquarters up; 0 wait$/);
      expectEqual(machine.run('fieldline-site', 'status').code, 0, 'exit code of status');
    },
  );
  await checks.check('who may not use the socket is told so in one line', () => {
    const { code, out } = machine.run('runuser', '-u', 'nobody', '--', 'fieldline-site', 'status');
    expectEqual(code, 2, 'exit code');
    expectMatch(out.trim(), /^fieldline-site: \S+ may not be used by you; run it as root$/, 'what it says');
  });
  await checks.check(
    'the status page needs nothing from elsewhere and opens with the admin key',
    async () => {
      const url = `http://${site}`;
      const parts = await Promise.all(
        ['/', '/status.js', '/status.css'].map(
          async (file) => expectStatus(await request({ url, method: 'GET', path: file }), 200).text,
        ),
      );
      expectEqual(
        parts
          .join('')
          .replace('http://www.w3.org/2000/svg', '')
          .match(/(?:https?:)?\/\/[a-z][\w.-]+\.[a-z]{2,}/g),
        null,
        'addresses',
      );
      const body = JSON.stringify({ admin_key: pair.adminKey('site') });
      const login = expectStatus(
        await request({
          url,
          method: 'POST',
          path: '/api/core/session/login',
          headers: { 'content-type': 'application/json', 'x-requested-with': 'fieldline' },
          body,
        }),
        200,
      );
      const cookie = (login.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
      expectStatus(
        await request({ url, method: 'GET', path: '/api/core/site/status', headers: { cookie } }),
        200,
      );
    },
  );
}

async function otherDatabase(checks: Checks, machine: Machine): Promise<void> {
  await checks.check('headquarters uses the database that its file names', async () => {
    machine.must(
      'runuser',
      '-u',
      'postgres',
      '--',
      'psql',
      '-X',
      '-q',
      '-c',
      "create role hub login password 'pass-word'",
      '-c',
      'create database elsewhere owner hub',
    );
    machine.must(
      'sh',
      '-c',
      `printf 'DATABASE_URL=${DATABASE}\\n' >> /etc/fieldline-hq/hq.env && fieldline-hq migrate && ` +
        `systemctl restart ${HUB}`,
    );
    await until(
      'the hub is ready',
      async () => machine.property(HUB, 'StatusText').startsWith('serving'),
      60_000,
    );
    const tables = machine.must(
      'runuser',
      '-u',
      'postgres',
      '--',
      'psql',
      '-X',
      '-q',
      '-A',
      '-t',
      '-d',
      'elsewhere',
      '-c',
      "select count(*) > 10 from pg_tables where tableowner = 'hub'",
    );
    expectEqual(tables.trim(), 't', 'tables there');
  });
}
