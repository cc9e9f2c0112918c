// The life of a site on its machine: installed, used, killed, hung, upgraded, unplugged, filled up, removed.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import { completions } from './completions.ts';
import { expectCleanUnit } from './debian13.ts';
import type { Machine } from './machine.ts';
import type { Built } from './packages.ts';

const UNIT = 'fieldline-site.service';
const DROP_IN = `/run/systemd/system/${UNIT}.d`;
const STORED = 100_000;

/** What the test does to the site that lives on the machine. */
class Resident {
  readonly machine: Machine;
  readonly url: string;
  key: SigningKey = { keyId: '', secret: '' };
  /** Keys of events that were acknowledged. */
  readonly acknowledged = new Set<string>();
  #count = 0;

  constructor(machine: Machine, port: number) {
    this.machine = machine;
    this.url = `http://${machine.address}:${port}`;
  }

  get pid(): number {
    const inside = this.machine.property(UNIT, 'MainPID');
    const [found] = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && insideNumber(name) === inside,
    );
    if (found === undefined) throw new Error(`the process ${inside} of the machine is not found`);
    return Number(found);
  }

  get restarts(): number {
    return Number(this.machine.property(UNIT, 'NRestarts'));
  }

  ready(): Promise<unknown> {
    return until(
      'the site is ready',
      async () => (await this.get('/readyz').catch(() => null))?.status === 200,
    );
  }

  get(target: string): Promise<Answer> {
    return request({
      url: this.url,
      method: 'GET',
      path: target,
      headers: { 'x-admin-key': this.machine.read('var/lib/fieldline-site/secrets/admin-key').trim() },
      timeoutMs: 10_000,
    });
  }

  /** Posts a batch; what is acknowledged is remembered. */
  async post(count: number, more: object = {}): Promise<Answer> {
    const events = Array.from({ length: count }, () => ({
      idempotency_key: `e${(this.#count += 1)}`,
      type: 'vehicle.intrusion',
      severity: 'high',
      camera_ref: 'gate',
      ...more,
    }));
    const answer = await signedCall({
      url: this.url,
      key: this.key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ events }),
    });
    if (answer.status < 300) for (const { idempotency_key } of events) this.acknowledged.add(idempotency_key);
    return answer;
  }

  /** Keys that were acknowledged and cannot be read any more. */
  async lost(): Promise<string[]> {
    const there = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: { idempotencyKey: string }[]; nextCursor: string | null } = jsonOf(
        expectStatus(
          await this.get(
            `/api/core/events/list?limit=1000&include_test=true${cursor === '' ? '' : `&cursor=${cursor}`}`,
          ),
          200,
        ),
      );
      for (const { idempotencyKey } of page.items) there.add(idempotencyKey);
      cursor = page.nextCursor;
    }
    return [...this.acknowledged].filter((key) => !there.has(key));
  }

  /** Processor time of the site over a while, share of one core in percent. */
  async cpuPercent(seconds: number): Promise<number> {
    const before = ticksOf(this.pid);
    await pause(seconds * 1000);
    return ((ticksOf(this.pid) - before) / 100 / seconds) * 100;
  }

  residentMb(): number {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1000;
  }
}

/** Number of a process in its own namespace. */
function insideNumber(pid: string): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return /^Name:\s+(?:node|MainThread|fieldline)/m.test(status)
      ? /^NSpid:\s+\d+\s+(\d+)$/m.exec(status)?.[1]
      : undefined;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

export async function siteLife(checks: Checks, machine: Machine, built: Built): Promise<void> {
  const site = new Resident(machine, 8081);
  await install(checks, site, built);
  await faults(checks, site);
  await upgrade(checks, site, built);
  await figures(checks, site);
  await powerCut(checks, site);
  await fullDisk(checks, site);
}

async function install(checks: Checks, site: Resident, built: Built): Promise<void> {
  const { machine } = site;
  machine.unpack();
  machine.carry(built.file('fieldline-site', 'amd64', built.older), 'older.deb');
  machine.carry(built.file('fieldline-site', 'amd64'), 'site.deb');
  await machine.boot();
  await checks.check('apt installs it without a question, and it runs', () => {
    machine.must('apt-get', 'install', '-y', '/root/older.deb');
    expectEqual(
      [machine.property(UNIT, 'ActiveState'), machine.property(UNIT, 'UnitFileState')],
      ['active', 'enabled'],
      'state',
    );
    expectMatch(machine.property(UNIT, 'StatusText'), /storing/, 'status text');
  });
  await checks.check('the unit is read without a warning, with its limits, and the manual is there', () => {
    expectCleanUnit(machine, UNIT);
    expectEqual(
      ['MemoryMax', 'Type', 'WatchdogUSec', 'StateDirectory'].map((name) => machine.property(UNIT, name)),
      ['314572800', 'notify', '1min 30s', 'fieldline-site'],
      'unit',
    );
    expectMatch(
      machine.must('sh', '-c', 'zcat /usr/share/man/man8/fieldline-site.8.gz'),
      /CORE_UPLINK_URL/,
      'manual',
    );
  });
  await completions(checks, machine);
  await checks.check('the administrator changes its address, and it comes back there', async () => {
    machine.must(
      'sh',
      '-c',
      `printf 'CORE_LISTEN=0.0.0.0:${new URL(site.url).port}\\n' >> /etc/fieldline-site/site.env && ` +
        `systemctl restart ${UNIT}`,
    );
    await site.ready();
  });
  await checks.check('node add prints what to type into the camera', () => {
    const said = machine.must('fieldline-site', 'node', 'add', '--tenant', 'acme', '--name', 'gate');
    site.key = {
      keyId: /key id\s+(\S+)/.exec(said)?.[1] ?? '',
      secret: /secret\s+(fln_\S+)/.exec(said)?.[1] ?? '',
    };
    if (site.key.keyId === '' || site.key.secret === '') throw new Error(`no key in: ${said}`);
  });
  await checks.check('events in, and status says that all is well', async () => {
    expectStatus(await site.post(20), 201);
    expectEqual(machine.run('fieldline-site', 'status').code, 0, 'exit code');
    expectMatch(machine.must('fieldline-site', 'status', '--json'), /"version"/, 'status');
  });
  await checks.check('it runs as its own user, with nothing that others may read', () => {
    expectEqual(machine.property(UNIT, 'User'), 'fieldline-site', 'user');
    expectMatch(
      machine.must('stat', '-c', '%U %a', '/var/lib/fieldline-site', '/etc/fieldline-site/credentials'),
      /^fieldline-site 750\nroot 700/,
      'owners',
    );
  });
}

async function faults(checks: Checks, site: Resident): Promise<void> {
  const { machine } = site;
  await checks.check('kill -9: systemd restarts it, and nothing that was acknowledged is lost', async () => {
    const before = site.restarts;
    process.kill(site.pid, 'SIGKILL');
    await until(
      'it was restarted',
      async () => site.restarts > before && machine.property(UNIT, 'ActiveState') === 'active',
    );
    await site.ready();
    expectEqual(await site.lost(), [], 'lost');
  });
  await checks.check('a process that hangs is restarted by the watchdog', async () => {
    machine.must(
      'sh',
      '-c',
      `mkdir -p ${DROP_IN} && printf '[Service]\\nWatchdogSec=6\\nTimeoutAbortSec=3\\n' > ` +
        `${DROP_IN}/soon.conf && systemctl daemon-reload && systemctl restart ${UNIT}`,
    );
    await site.ready();
    await pause(8_000);
    expectEqual(site.restarts, 0, 'restarts while it is well');
    process.kill(site.pid, 'SIGSTOP');
    await until(
      'it was restarted',
      async () => site.restarts > 0 && machine.property(UNIT, 'ActiveState') === 'active',
      40_000,
    );
    await site.ready();
    expectEqual(await site.lost(), [], 'lost');
    machine.must('sh', '-c', `rm -r ${DROP_IN} && systemctl daemon-reload && systemctl restart ${UNIT}`);
    await site.ready();
  });
}

async function upgrade(checks: Checks, site: Resident, built: Built): Promise<void> {
  const { machine } = site;
  await checks.check('an upgrade keeps data, configuration and the running state', async () => {
    const configuration = machine.read('etc/fieldline-site/site.env');
    machine.must('apt-get', 'install', '-y', '/root/site.deb');
    await site.ready();
    expectEqual(machine.read('etc/fieldline-site/site.env'), configuration, 'configuration');
    expectMatch(
      machine.must('dpkg-query', '-W', 'fieldline-site'),
      new RegExp(`\\t${built.version.replaceAll('.', '\\.')}`),
      'version',
    );
    expectEqual(await site.lost(), [], 'lost');
    expectStatus(await site.post(5), 201);
  });
  await checks.check(
    'between the unpacking of an upgrade and the restart, when its files are gone, it answers what is ' +
      'asked for the first time',
    async () => {
      machine.must('dpkg', '--unpack', '/root/site.deb');
      machine.must('sh', '-c', 'rm /usr/lib/fieldline-site/*.mjs');
      for (const one of ['/', '/status.js', '/status.css', '/metrics', '/openapi.json'])
        expectStatus(await site.get(one), 200);
      machine.must('dpkg', '--unpack', '/root/site.deb');
      machine.must('dpkg', '--configure', 'fieldline-site');
      await site.ready();
    },
  );
  await checks.check('what the administrator disabled stays disabled and stopped', async () => {
    machine.must('systemctl', 'disable', '--now', UNIT);
    machine.must('apt-get', 'install', '-y', '--reinstall', '/root/site.deb');
    expectEqual(
      [machine.property(UNIT, 'ActiveState'), machine.property(UNIT, 'UnitFileState')],
      ['inactive', 'disabled'],
      'state',
    );
    machine.must('systemctl', 'enable', '--now', UNIT);
    await site.ready();
  });
  await checks.check(
    'it stops cleanly within 10 s, during intake, and nothing that was acknowledged is lost',
    async () => {
      const before = site.acknowledged.size;
      let posting = true;
      const client = (async () => {
        while (posting) await site.post(7).catch(() => (posting = false));
      })();
      await until('intake is under way', async () => site.acknowledged.size > before + 100);
      const started = performance.now();
      machine.must('systemctl', 'stop', UNIT);
      expectEqual(
        [machine.property(UNIT, 'Result'), performance.now() - started < 10_000],
        ['success', true],
        'stop',
      );
      await client;
      machine.must('systemctl', 'start', UNIT);
      await site.ready();
      expectEqual(await site.lost(), [], 'lost');
    },
  );
  await checks.check('check finds nothing wrong', () => void machine.must('fieldline-site', 'check'));
}

async function figures(checks: Checks, site: Resident): Promise<void> {
  const { machine } = site;
  await site.ready();
  while (site.acknowledged.size < STORED)
    expectStatus(
      await site.post(500, {
        kind: 'observation',
        title: 'A car behind the fence at the east gate',
        payload: { box: [10, 20, 30, 40] },
      }),
      201,
    );
  await until(
    'the agent has come to every event',
    async () =>
      jsonOf<{ agent?: { lag?: number }; lag?: number }>(await site.get('/api/agent/status')).lag === 0,
    300_000,
  );
  const { wear } = JSON.parse(machine.run('fieldline-site', 'status', '--json').out) as {
    wear: { bytesPerEvent: number | null; syncsPerEvent: number | null };
  };
  checks.figure(
    'written to the disk for an event, in batches of 500',
    `${wear.bytesPerEvent ?? '?'} bytes, ${wear.syncsPerEvent ?? '?'} syncs`,
  );
  checks.atMost(
    'the write-ahead log',
    Number(machine.must('stat', '-c', '%s', '/var/lib/fieldline-site/site.db-wal')) / 1e6,
    48,
    'MB',
  );
  checks.figure('memory under load', `${site.residentMb().toFixed(1)} MB`);
  machine.must('systemctl', 'restart', UNIT);
  await site.ready();
  const at = (name: string): number => Number(machine.property(UNIT, name));
  checks.figure(
    'start to ready, the service manager included',
    `${((at('ActiveEnterTimestampMonotonic') - at('InactiveExitTimestampMonotonic')) / 1000).toFixed(0)} ms`,
  );
  await pause(15_000);
  checks.atMost(`memory at idle with ${STORED} events`, site.residentMb(), 85, 'MB');
  checks.atMost('processor at idle', await site.cpuPercent(20), 1, '% of a core');
  let posting = true;
  const steady = (async () => {
    while (posting) {
      await site.post(1);
      await pause(100);
    }
  })();
  checks.figure('processor at 10 events/s', `${(await site.cpuPercent(10)).toFixed(1)} % of a core`);
  posting = false;
  await steady;
}

async function powerCut(checks: Checks, site: Resident): Promise<void> {
  const { machine } = site;
  await checks.check(
    'the plug is pulled during intake: it comes up by itself with every acknowledged event',
    async () => {
      const before = site.acknowledged.size;
      let posting = true;
      const clients = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (posting) await site.post(7).catch(() => (posting = false));
        }),
      );
      await until('intake is under way', async () => site.acknowledged.size > before + 500);
      await machine.cutPower();
      await clients;
      await machine.boot();
      await site.ready();
      expectEqual(await site.lost(), [], 'lost');
      expectStatus(await site.post(3), 201);
    },
  );
}

async function fullDisk(checks: Checks, site: Resident): Promise<void> {
  const { machine } = site;
  await machine.cutPower();
  machine.mountSmall('var/lib/fieldline-site', 192);
  site.acknowledged.clear();
  await machine.boot();
  await site.ready();
  const said = machine.must('fieldline-site', 'node', 'add', '--tenant', 'acme', '--name', 'gate');
  site.key = {
    keyId: /key id\s+(\S+)/.exec(said)?.[1] ?? '',
    secret: /secret\s+(fln_\S+)/.exec(said)?.[1] ?? '',
  };
  await checks.check(
    'a full disk: intake answers 507 with Retry-After, everything else goes on, nothing acknowledged is lost',
    async () => {
      const payload = { picture: 'x'.repeat(60_000) };
      const refused = await until(
        'the disk is full',
        async () => {
          const answer = await site.post(20, { payload });
          return answer.status >= 300 ? answer : null;
        },
        120_000,
      );
      expectEqual([refused.status, refused.headers['retry-after'] !== undefined], [507, true], 'refusal');
      expectStatus(await site.get('/healthz'), 200);
      expectEqual(machine.run('fieldline-site', 'status').code > 0, true, 'status says so');
      await until(
        'systemctl status says so',
        async () => {
          // What a checkpoint frees is filled again.
          await site.post(20, { payload });
          return machine.property(UNIT, 'StatusText').startsWith('the disk is full');
        },
        90_000,
      );
      expectEqual([machine.property(UNIT, 'ActiveState'), site.restarts], ['active', 0], 'state');
      expectEqual(await site.lost(), [], 'lost');
      machine.must('systemctl', 'restart', UNIT);
      await site.ready();
      expectEqual(await site.lost(), [], 'lost after a restart');
    },
  );
}
