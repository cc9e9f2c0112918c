// The Debian changelog of a package, made from the page that operators read.
import { pageText } from './pages.ts';
import type { Build } from './product.ts';

interface Section {
  /** null: not released yet. */
  version: string | null;
  /** As the heading has it, "2026-11-21"; null where it has none. */
  date: string | null;
  lines: string[];
}

const WIDTH = 78;
const HEADING = /^(?:Next release|(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\))$/;

/** Sections of the page, newest first. @throws Error for a heading that is no version */
export function sectionsOf(page: string): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.trimEnd().split('\n');
      const found = HEADING.exec(heading.trim());
      if (!found) {
        throw new Error(`packaging/CHANGELOG.md: "${heading}" is not a version with its date`);
      }
      const [, version = null, date = null] = found;
      return { version, date, lines: lines.filter((line) => line.trim() !== '') };
    });
}

/**
 * The changelog of the package. What is not released yet is part of the version that is built, and so is what
 * the page has of that version already.
 */
export function changelogText(
  { product, version, epoch }: Pick<Build, 'product' | 'version' | 'epoch'>,
  page = pageText('packaging/CHANGELOG.md'),
): string {
  const sections = sectionsOf(page);
  const own = sections.filter((section) => section.version === null || section.version === version);
  const before = sections.filter((section) => !own.includes(section));
  const first = entry(
    product.name,
    version,
    new Date(epoch * 1000),
    own.flatMap(({ lines }) => lines),
  );
  const others = before.map((section) =>
    entry(product.name, section.version ?? version, new Date(`${section.date}T12:00:00Z`), section.lines),
  );
  return [first, ...others].join('\n');
}

function entry(name: string, version: string, date: Date, lines: readonly string[]): string {
  const told = lines.length > 0 ? lines : [`- Release ${version}.`];
  const body = told.flatMap((line, index) => {
    const heading = /^### (.+)$/.exec(line)?.[1];
    if (heading !== undefined) return [...(index === 0 ? [] : ['']), `  [ ${heading} ]`];
    return wrapped(line.replace(/^- /, '').replaceAll('`', ''));
  });
  const when = date.toUTCString().replace('GMT', '+0000');
  const trailer = ` -- Fieldline packages <packages@fieldline.invalid>  ${when}`;
  return [`${name} (${version}) unstable; urgency=medium`, '', ...body, '', trailer, ''].join('\n');
}

/** One item, "  * " before its first line. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '  *';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH && line.trim() !== '*') {
      lines.push(line);
      line = '   ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
