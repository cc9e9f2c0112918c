// The dashboard and the alert rules name only figures that the programs really give.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDeployment } from '../support/deployment.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus } from '../support/request.ts';
import { ROOT } from '../support/sources.ts';

const FOLDER = 'packaging/observability';
const textOf = (name: string): string => readFileSync(path.join(ROOT, FOLDER, name), 'utf8');
const NAMES = /\b(?:fieldline|process|nodejs)_[a-z0-9_]+\b/g;

const scene = new Scene();
const given: Record<'fieldline-site' | 'fieldline-hq', Map<string, Set<string>>> = {
  'fieldline-site': new Map(),
  'fieldline-hq': new Map(),
};
beforeAll(async () => {
  const { hub, site } = await startDeployment(scene, seededRandom(3));
  for (const [job, program] of [
    ['fieldline-site', site],
    ['fieldline-hq', hub],
  ] as const) {
    const page = expectStatus(await program.api('GET', '/metrics'), 200).text;
    for (const [, name = ''] of page.matchAll(/^# HELP (\S+) /gm)) given[job].set(name, new Set());
    for (const [, name = '', labels = ''] of page.matchAll(/^([a-z0-9_]+)\{([^}]*)\}/gm))
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) given[job].get(name)?.add(label);
  }
});
afterAll(() => scene.close());

const rules = [...textOf('fieldline-alerts.yml').matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);
const dashboard = JSON.parse(textOf('fieldline-dashboard.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

test('there is a rule for each alert, and a query in each panel', () => {
  expect(rules).toHaveLength([...textOf('fieldline-alerts.yml').matchAll(/- alert: /g)].length);
  expect(queries.length).toBeGreaterThan(20);
  for (const expr of [...rules, ...queries]) expect(expr).toMatch(/\b(?:fieldline|process|nodejs)_|^up\{/);
});

test('each alert is tried with promtool, quiet and firing', () => {
  const tried = textOf('fieldline-alerts.test.yml');
  for (const [, name = ''] of textOf('fieldline-alerts.yml').matchAll(/- alert: (\w+)/g)) {
    expect(tried).toMatch(new RegExp(`alertname: ${name}, exp_alerts: \\[\\]`));
    expect(tried).toMatch(new RegExp(`alertname: ${name}\\n +exp_alerts:\\n +- exp_labels`));
  }
});

test.each([...rules, ...queries])('%s names what is there', (expr) => {
  // A query that names a job is about that program; the others are about whichever gives the figure.
  const job = /job="(fieldline-\w+)"/.exec(expr)?.[1] as keyof typeof given | undefined;
  const programs = job === undefined ? Object.values(given) : [given[job]];
  for (const name of expr.match(NAMES) ?? [])
    expect(
      programs.some((figures) => figures.has(name)),
      name,
    ).toBe(true);
});

test('each figure of the rules has the labels that they choose by', () => {
  const labels = [...given['fieldline-site'].values(), ...given['fieldline-hq'].values()];
  for (const expr of rules)
    for (const [, , chosen = ''] of expr.matchAll(/\b(fieldline_[a-z_]+)\{([^}]*)\}/g))
      for (const [, label = ''] of chosen.matchAll(/(\w+)\s*(?:=|!=|=~|!~)"/g))
        expect(
          labels.some((set) => set.has(label)),
          `${label} in ${expr}`,
        ).toBe(true);
});
