// Builds the typed client of the hub's API into dist/client, from the description that the hub would serve:
//   node packaging/bootstrap.mjs run packaging/client/main.ts [--out FOLDER]
// Nothing is done when it was made from the same description and sources before.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../deb/source.ts';
import { buildClient } from './build.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'dist', 'client') } },
});
const made = await buildClient(values.out);
process.stdout.write(`${path.relative(ROOT, values.out)} ${made ? 'built' : 'is up to date'}\n`);
