// Debian 13: its systemd reads the same units.
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import type { Machine } from './machine.ts';
import type { Built } from './packages.ts';

/** The units are read without a word of complaint, whatever the version of systemd. */
export function expectCleanUnit(machine: Machine, unit: string): void {
  expectEqual(
    machine.must('systemd-analyze', 'verify', '--man=no', unit).trim(),
    '',
    `systemd-analyze verify ${unit}`,
  );
  expectEqual(
    machine.must('sh', '-c', `journalctl -b --no-pager -o cat | grep -E '${unit}:[0-9]+:' || true`).trim(),
    '',
    `complaints of systemd about ${unit}`,
  );
}

export async function debian13(checks: Checks, machine: Machine, built: Built): Promise<void> {
  machine.unpack();
  machine.carry(built.file('fieldline-site', 'amd64'), 'site.deb');
  await machine.boot();
  await checks.check(
    'on Debian 13 it is installed, runs under a unit without a warning, and is purged',
    () => {
      machine.must('apt-get', 'install', '-y', '/root/site.deb');
      expectEqual(machine.property('fieldline-site.service', 'ActiveState'), 'active', 'state');
      expectCleanUnit(machine, 'fieldline-site.service');
      machine.must('fieldline-site', 'check');
      machine.must('apt-get', 'purge', '-y', 'fieldline-site');
      expectMatch(
        machine.run('systemctl', 'cat', 'fieldline-site.service').out,
        /No files found/,
        'unit after the purge',
      );
    },
  );
}
