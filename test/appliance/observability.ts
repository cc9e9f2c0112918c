import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Checks } from './checks.ts';
import { ROOT } from './machine.ts';

const FOLDER = path.join(ROOT, 'packaging/observability');

/** The alert rules, as Prometheus itself reads them, and that they fire. */
export async function observability(checks: Checks): Promise<void> {
  const promtool = (...argv: string[]) => execFileSync('promtool', argv, { cwd: FOLDER, encoding: 'utf8' });
  await checks.check('Prometheus takes the alert rules', () => {
    promtool('check', 'rules', 'fieldline-alerts.yml');
  });
  await checks.check('the alert rules fire when they should, and not before', () => {
    promtool('test', 'rules', 'fieldline-alerts.test.yml');
  });
}
