// What a joined site lives through: an outage, an upgrade with a queue, a refusal, a short disk, damage, a
// bad configuration.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expectStatus, jsonOf, until } from '../support/request.ts';
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import { HUB, type Pair, SITE } from './pair.ts';

const DATA = 'var/lib/fieldline-site';

export async function joinedLife(checks: Checks, pair: Pair): Promise<void> {
  await outage(checks, pair);
  await refusal(checks, pair);
  await shortDisk(checks, pair);
  await support(checks, pair);
  await badConfiguration(checks, pair);
  await damage(checks, pair);
  await otherFolder(checks, pair);
}

async function outage(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check(
    'headquarters is gone: the site stores on and says what waits, at the terminal and to systemd',
    async () => {
      machine.must('systemctl', 'stop', HUB);
      expectStatus(await pair.post(30), 201);
      // The events, and the tasks and groups that they led to.
      await pair.said(/^storing; link to headquarters down; (?:[3-9]\d|\d{3,}) wait$/);
      expectEqual(machine.run('fieldline-site', 'status').code, 1, 'exit code of status');
      expectMatch(
        machine.run('fieldline-site', 'status', '--lang', 'en').out,
        /CUT OFF[\s\S]*30 waiting/,
        'status',
      );
      expectMatch(machine.run('fieldline-site', 'check').out, /BAD +headquarters/, 'check');
    },
  );
  await checks.check('what waits survives an upgrade, and goes when headquarters is back', async () => {
    machine.must('apt-get', 'install', '-y', '/root/site.deb');
    await pair.ready('site');
    expectEqual((await pair.missing().catch(() => ['headquarters is down'])).length, 1, 'headquarters');
    expectStatus(await pair.post(5), 201);
    machine.must('systemctl', 'start', HUB);
    await pair.ready('hq');
    await pair.arrived();
  });
}

async function refusal(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check(
    'what headquarters refuses is parked, shown with its reason, sent again or given up',
    async () => {
      const stranger = pair.addNode('beta', 'south', /does not take events of the tenant beta/);
      expectStatus(await pair.post(2, {}, stranger), 201);
      expectStatus(await pair.post(1), 201);
      await until(
        'two are parked',
        async () => (machine.must('fieldline-site', 'parked', 'list').match(/^events /gm) ?? []).length === 2,
      );
      const [first = '', second = ''] = [
        ...machine.must('fieldline-site', 'parked', 'list').matchAll(/^events +(\d+)/gm),
      ].map(([, id]) => id ?? '');
      expectMatch(
        machine.must('fieldline-site', 'parked', 'show', 'events', first),
        /reason +\S+: \S+/,
        'reason',
      );
      expectEqual(machine.run('fieldline-site', 'status').code, 1, 'exit code of status');
      machine.must('fieldline-site', 'parked', 'discard', 'events', second, '--by', 'a technician');
      machine.must('fieldline-hq', 'site', 'tenants', 'tunnel-7', '--tenant', 'acme', '--tenant', 'beta');
      machine.must('fieldline-site', 'parked', 'replay');
      await until('all but the discarded one are there', async () => (await pair.missing()).length === 1);
      for (const key of await pair.missing()) pair.acknowledged.delete(key);
      expectMatch(machine.must('fieldline-site', 'parked', 'list'), /Nothing is parked/, 'list');
    },
  );
}

async function shortDisk(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check(
    'a short disk: what headquarters holds goes, intake goes on, and headquarters is told',
    async () => {
      await pair.configure('CORE_STORAGE_LIMIT=33554432');
      const payload = { picture: 'x'.repeat(60_000) };
      const shed = async (): Promise<number> =>
        jsonOf<{ disk: { shed: { events: number } } }>(await pair.call('site', '/api/core/site/status')).disk
          .shed.events;
      await until(
        'events were shed',
        async () => {
          expectStatus(await pair.post(10, { payload }), 201, 507);
          return (await shed()) > 0;
        },
        120_000,
      );
      await until('intake goes on', async () => (await pair.post(1)).status === 201, 60_000);
      await pair.arrived();
      await until(
        'headquarters is told',
        async () => {
          const { sites } = jsonOf<{ sites: { report: { shed: { events: number } } | null }[] }>(
            expectStatus(await pair.call('hq', '/api/core/uplink/status'), 200),
          );
          return (sites[0]?.report?.shed.events ?? 0) > 0;
        },
        120_000,
      );
      machine.must('sed', '-i', '/^CORE_STORAGE_LIMIT=/d', '/etc/fieldline-site/site.env');
      await pair.configure();
      // They stand until somebody has seen them.
      const { items } = JSON.parse(machine.must('fieldline-site', 'alarms', 'list', '--json')) as {
        items: { key: string }[];
      };
      for (const { key } of items.filter((one) => /^(?:disk_shed$|retention_passed_consumer:)/.test(one.key)))
        machine.must('fieldline-site', 'alarms', 'clear', key, '--by', 'a technician');
    },
  );
}

async function support(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check('the bundle for support has no secret in it', () => {
    machine.must('fieldline-site', 'bundle', '/root/bundle.tar.gz');
    const text = machine.must('sh', '-c', 'tar -xOzf /root/bundle.tar.gz');
    expectMatch(text, /"instance": "tunnel-7"/, 'bundle');
    expectMatch(text, /ActiveState=active/, 'state of the unit');
    expectMatch(text, /UTC.* info {3}/, 'journal');
    const secrets = [pair.key.secret, pair.adminKey('site'), pair.uplinkKey.split(':')[1] ?? ''];
    expectEqual(
      secrets.map((secret) => secret.length > 10 && text.includes(secret)),
      [false, false, false],
      'secrets',
    );
  });
  await checks.check('a backup is made while it runs, and root restores it for the service', async () => {
    expectStatus(await pair.post(3), 201);
    machine.must('fieldline-site', 'backup', '/root/backup.db');
    expectMatch(
      machine.run('fieldline-site', 'restore', '/root/backup.db').out,
      /^fieldline-site: [^\n]*systemctl stop fieldline-site\n$/,
      'restore while it runs',
    );
    machine.must('systemctl', 'stop', SITE);
    machine.must('fieldline-site', 'restore', '/root/backup.db');
    machine.must('systemctl', 'start', SITE);
    // Alarms of what was shed stand still.
    let checked = '';
    await until(
      'nothing is bad',
      async () => !/^BAD/m.test((checked = machine.run('fieldline-site', 'check').out)),
      60_000,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${checked}`, { cause: error });
    });
    expectEqual(machine.property(SITE, 'NRestarts'), '0', 'restarts');
    expectStatus(await pair.post(3), 201);
    await pair.arrived();
  });
}

async function badConfiguration(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check(
    'a configuration that it cannot start with: systemd tries less and less often, and at once when it ' +
      'is mended',
    async () => {
      machine.must('sh', '-c', "printf 'CORE_LISTEN=nowhere\\n' >> /etc/fieldline-site/site.env");
      expectEqual(machine.run('systemctl', 'restart', SITE).code === 0, false, 'start');
      await until(
        'it waits longer',
        async () =>
          machine.run(
            'sh',
            '-c',
            '[ "$(cat /run/fieldline-site/failures)" = 4 ] && [ "$(systemctl show -p SubState --value ' +
              'fieldline-site)" = start-pre ]',
          ).code === 0,
        60_000,
      );
      expectMatch(machine.must('fieldline-site', 'logs', '--lines', '30'), /CORE_LISTEN/, 'journal');
      machine.must('sed', '-i', '/^CORE_LISTEN=nowhere/d', '/etc/fieldline-site/site.env');
      machine.must('systemctl', 'restart', SITE);
      expectEqual(
        [
          machine.property(SITE, 'ActiveState'),
          machine.run('test', '-e', '/run/fieldline-site/failures').code,
        ],
        ['active', 1],
        'state',
      );
      await pair.ready('site');
    },
  );
}

async function damage(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check(
    'a damaged store is set aside with what could be saved, and the site goes on storing',
    async () => {
      expectStatus(await pair.post(500), 201);
      await pair.arrived();
      machine.must('systemctl', 'stop', SITE);
      machine.must(
        'dd',
        'if=/dev/urandom',
        `of=/${DATA}/site.db`,
        'bs=4096',
        'seek=1',
        'count=40',
        'conv=notrunc',
      );
      machine.must('systemctl', 'start', SITE);
      await until(
        'it has set the store aside',
        async () =>
          readdirSync(path.join(machine.dir, DATA)).some((name) => name.startsWith('site-damaged-')),
        60_000,
      );
      await pair.ready('site');
      expectMatch(machine.run('fieldline-site', 'status', '--lang', 'en').out, /store_salvaged/, 'status');
      pair.key = pair.addNode('acme', 'gate after the damage');
      expectStatus(await pair.post(5), 201);
      await pair.arrived();
    },
  );
}

async function otherFolder(checks: Checks, pair: Pair): Promise<void> {
  const { machine } = pair;
  await checks.check('the command line follows the data directory that the administrator chose', async () => {
    machine.must(
      'sh',
      '-c',
      `install -d -o fieldline-site -g fieldline-site -m 0750 /srv/data /etc/systemd/system/${SITE}.d ` +
        `&& printf '[Service]\\nReadWritePaths=/srv/data\\n' > /etc/systemd/system/${SITE}.d/data.conf`,
    );
    machine.must(
      'sh',
      '-c',
      `printf 'CORE_DATA_DIR=/srv/data\\n' >> /etc/fieldline-site/site.env && systemctl daemon-reload ` +
        `&& systemctl restart ${SITE}`,
    );
    await until('it is well', async () =>
      /\/srv\/data can be written/.test(machine.run('fieldline-site', 'check').out),
    );
  });
}
