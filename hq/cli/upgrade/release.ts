import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { sayer } from '../../../common/message.ts';
import { UsageError } from '../../../common/terminal/command.ts';
import { EXIT } from '../../../common/terminal/exit.ts';
import { columns, renderTable } from '../../../common/terminal/table.ts';
import { isThere } from '../../../common/terminal/there.ts';
import {
  MAX_DOCUMENT,
  type SignedManifest,
  signedManifest,
} from '../../../common/uplink/upgrade/manifest.ts';
import type { ReleaseView } from '../../fleet/release/schema.ts';
import type { HubContext } from '../context.ts';
import { releaseMessages } from './release-messages.ts';

const PATH = '/api/core/releases';
const pathOf = (version: string): string => `${PATH}/${encodeURIComponent(version)}`;
const PAGE = 200;

/** `release add`: the document, and the packages that lie beside it. */
export async function addRelease({ file }: { file: string }, context: HubContext): Promise<number> {
  const { api, terminal, language } = context;
  const w = sayer(releaseMessages, language);
  const document = documentOf(path.resolve(file), context);
  let release = await api.call<ReleaseView>('POST', PATH, document);
  const { version, checkedWith } = release;
  terminal.out(`${w('added', { version })}\n`);
  terminal.out(`${checkedWith === null ? w('unchecked') : w('checked', { key: checkedWith })}\n`);
  let missing = 0;
  for (const { name, size, architecture, storedAt } of release.packages) {
    const found = path.join(path.dirname(path.resolve(file)), name);
    if (storedAt !== null) terminal.out(`${w('there', { name })}\n`);
    else if (isThere(found)) {
      const target = `${pathOf(version)}/packages/${architecture}`;
      release = await api.upload<ReleaseView>('PUT', target, { name: found, size: statSync(found).size });
      terminal.out(`${w('sent', { name, size })}\n`);
    } else {
      missing += 1;
      terminal.out(`${w('missing', { name })}\n`);
    }
  }
  return missing === 0 ? EXIT.well : EXIT.look;
}

/** @throws UsageError */
function documentOf(file: string, { language }: HubContext): SignedManifest {
  const w = sayer(releaseMessages, language);
  let text: string;
  try {
    // Twice its bound, for the signature and the blanks between.
    if (statSync(file).size > 2 * MAX_DOCUMENT) throw new Error(w('noDocument', { file }));
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      w('notRead', { file, reason: error instanceof Error ? error.message : String(error) }),
    );
  }
  const parsed = signedManifest.safeParse(jsonIn(text));
  if (!parsed.success) throw new UsageError(w('noDocument', { file }));
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** `release list` */
export async function listReleases(
  { json }: { json: boolean },
  { api, terminal, language, time }: HubContext,
): Promise<number> {
  const w = sayer(releaseMessages, language);
  const items: ReleaseView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { items: ReleaseView[]; nextCursor: string | null } = await api.call(
      'GET',
      `${PATH}?limit=${PAGE}${at}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  if (json) terminal.out(`${JSON.stringify(items)}\n`);
  else if (items.length === 0) terminal.out(`${w('none')}\n`);
  else {
    const rows = items.map((one) => [
      ...[one.version, time(one.addedAt), one.addedBy],
      one.checkedWith === null ? w('notChecked', { key: one.key }) : w('signedBy', { key: one.checkedWith }),
      packagesIn(one, w),
      one.inUse ? w('inUse') : '-',
    ]);
    terminal.out(renderTable(columns(w('head')), rows));
  }
  return EXIT.well;
}

function packagesIn({ packages }: ReleaseView, w: ReturnType<typeof sayer<typeof releaseMessages>>): string {
  const [here, missing] = [true, false].map((is) =>
    packages.filter(({ storedAt }) => (storedAt !== null) === is).map(({ architecture }) => architecture),
  ) as [string[], string[]];
  const names = here.join(', ') || '-';
  return missing.length === 0 ? w('whole', { names }) : w('partly', { names, missing: missing.join(', ') });
}

/** `release remove` */
export async function removeRelease(
  { version }: { version: string },
  { api, terminal, language }: HubContext,
): Promise<number> {
  await api.call('DELETE', pathOf(version));
  terminal.out(`${sayer(releaseMessages, language)('removed', { version })}\n`);
  return EXIT.well;
}
