// npm run bench [-- policy [--explain] [--chunks N] [--questions FOLDER] | site-policy | intake |
// devices | footprint | pull | waiting | uplink [--pictures MIB] | lists [--events N] | library |
// rules | agent | webhooks | open | verdicts | hostile | console | fleet [--sites N] [--events N] |
// years [--events N] | soak [--minutes N] ...]
//
// Measures the product beside bare floors of the same run and prints one table. Everything shares the
// machine: with two cores the generator has one and the program's loop the other, and the threads that
// sync, Postgres and the hub take their time from both; so read the ratios, not the absolute figures.
// Ends with 0 whatever the figures are, and with 1 only when something broke.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { measureAgent } from './agent.ts';
import { Bench } from './bench.ts';
import { measureConsole } from './console.ts';
import { measureDatasets } from './datasets.ts';
import { measureDevices } from './devices.ts';
import { measureFleet } from './fleet.ts';
import { measureFootprint } from './footprint.ts';
import { measureHostile } from './hostile.ts';
import { measureIntake } from './intake.ts';
import { measureLibrary } from './library.ts';
import { measureLists } from './lists.ts';
import { measureOpen } from './open.ts';
import { measurePolicy } from './policy.ts';
import { buildBundles } from './program.ts';
import { measurePull } from './pull.ts';
import { measureRules } from './rules.ts';
import { measureSitePolicy } from './site-policy.ts';
import { measureSoak } from './soak/soak.ts';
import { renderTable, type Row } from './table.ts';
import { measureUplink } from './uplink.ts';
import { measureVerdicts } from './verdicts.ts';
import { measureWaiting } from './waiting.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureYears } from './years/years.ts';

const PARTS: Record<string, (bench: Bench) => Promise<Row[]>> = {
  intake: measureIntake,
  devices: measureDevices,
  footprint: measureFootprint,
  pull: measurePull,
  waiting: measureWaiting,
  uplink: measureUplink,
  lists: measureLists,
  datasets: (bench) => measureDatasets(bench),
  library: measureLibrary,
  policy: measurePolicy,
  'site-policy': measureSitePolicy,
  rules: measureRules,
  agent: measureAgent,
  webhooks: measureWebhooks,
  open: measureOpen,
  verdicts: measureVerdicts,
  hostile: measureHostile,
  console: measureConsole,
  fleet: measureFleet,
  years: measureYears,
  soak: measureSoak,
};

async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      explain: { type: 'boolean', default: false },
      chunks: { type: 'string' },
      questions: { type: 'string' },
      pictures: { type: 'string' },
      events: { type: 'string' },
      sites: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  // Only policy has something to explain.
  const asked = positionals.length === 0 && values.explain ? ['policy'] : positionals;
  const unknown = asked.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    process.stderr.write(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}\n`);
    return 2;
  }
  const chosen = asked.length > 0 ? asked : Object.keys(PARTS);
  buildBundles();
  const bench = new Bench({
    explain: values.explain,
    ...(values.chunks === undefined ? {} : { chunks: Number(values.chunks) }),
    ...(values.questions === undefined ? {} : { questions: values.questions }),
    ...(values.events === undefined ? {} : { events: Number(values.events) }),
    ...(values.sites === undefined ? {} : { sites: Number(values.sites) }),
    ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
    ...(values.pictures === undefined ? {} : { pictures: Number(values.pictures) }),
  });
  const rows: Row[] = [];
  try {
    for (const name of chosen) {
      process.stderr.write(`${name} …\n`);
      rows.push(...(await (PARTS[name] as (bench: Bench) => Promise<Row[]>)(bench)));
    }
  } finally {
    await bench.close();
    const { length } = os.cpus();
    process.stdout.write(
      `${length} cores (${os.cpus()[0]?.model.trim()}), shared by generator, program and sync; Node ` +
        `${process.version}\n\n`,
    );
    if (rows.length > 0) process.stdout.write(`${renderTable(rows)}\n`);
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
