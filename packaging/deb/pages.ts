// The pages that the packages bring, and what is taken from them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './source.ts';

/** From the root; below /usr/share/doc/<name> of a package they lie alike, so that their links hold. */
export const PAGES: readonly string[] = [
  'README.md',
  'LICENSE',
  'packaging/CHANGELOG.md',
  'packaging/UPGRADE.md',
  'packaging/client/README.md',
  'packaging/observability/README.md',
  'site/README.md',
  'site/store/key-index/README.md',
  'hq/README.md',
  'hq/console/README.md',
  'hq/store/README.md',
  'hq/integration/README.md',
  'hq/fleet/README.md',
  'hq/mcp/README.md',
  'hq/policy/ingest/README.md',
  'common/README.md',
  'common/CONFIGURATION.md',
  'common/DESIGN.md',
  'common/OPEN-QUESTIONS.md',
  'common/core/README.md',
  'test/LONG.md',
];

/** Pictures that the pages show, from the root; the packages bring them beside the pages. */
export const PICTURES: readonly string[] = readdirSync(path.join(ROOT, 'hq/console/pictures'))
  .sort()
  .map((name) => `hq/console/pictures/${name}`);

/** What the page on Prometheus tells of, from the root; the packages bring it beside that page. */
export const OBSERVABILITY: readonly string[] = readdirSync(path.join(ROOT, 'packaging/observability'))
  .filter((name) => !name.endsWith('.md'))
  .sort()
  .map((name) => `packaging/observability/${name}`);

/** Text of a page. @param page one of `PAGES` or of `OBSERVABILITY` */
export const pageText = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

/** Cells of the rows of the table of variables: names, site, hub, meaning. */
export function variableRows(): string[][] {
  return pageText('common/CONFIGURATION.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** How a request is signed. @throws Error when the page does not show it */
export function signingBlock(): string {
  const block = /```\n(X-Core-Key:[^]*?)```/.exec(pageText('common/core/README.md'))?.[1];
  if (block === undefined) throw new Error('common/core/README.md does not show how a request is signed');
  return block.trimEnd();
}
