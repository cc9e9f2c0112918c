// Reads the tags of an office part, which a program wrote: no more of XML than such a part has.

export interface Tag {
  /** Local name, for elements of the word-processing namespace; others have their prefix before it. */
  name: string;
  kind: 'open' | 'close' | 'empty';
  attributes: string;
  start: number;
  end: number;
}

const NAMESPACES = [
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
];
const TAG = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([\w.:-]+)(\s[^<>]*|\/)?>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The prefix of the word-processing namespace with its colon, empty where it is the default one. */
export function prefixOf(xml: string): string {
  for (const [, prefix, uri = ''] of xml
    .slice(0, 20_000)
    .matchAll(/\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']/g)) {
    if (NAMESPACES.includes(uri)) return prefix === undefined ? '' : `${prefix}:`;
  }
  return 'w:';
}

/** Tags in their order; where a part says a thing in a newer way and an older one, the older. */
export function* tagsOf(xml: string): Iterable<Tag> {
  const prefix = prefixOf(xml);
  let newer = 0;
  for (const match of xml.matchAll(TAG)) {
    const [whole, slash, full, attributes = ''] = match;
    if (full === undefined) continue;
    const kind = slash === '/' ? 'close' : attributes.endsWith('/') ? 'empty' : 'open';
    if (full === 'mc:Choice' && kind !== 'empty') newer += kind === 'open' ? 1 : -1;
    if (newer > 0) continue;
    const name = full.startsWith(prefix) ? full.slice(prefix.length) : full;
    yield { name, kind, attributes, start: match.index, end: match.index + whole.length };
  }
}

/** An attribute by its local name; null when it is missing. */
export function attributeOf({ attributes }: Tag, name: string): string | null {
  const found = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined
    ? null
    : value.replace(
        /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|amp));/gi,
        (entity, decimal?: string, hex?: string, named?: string) => {
          if (named !== undefined) return ENTITIES[named] ?? entity;
          const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16);
          return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
        },
      );
}

/** An attribute that is a whole number from 0; null when it is missing or none. */
export function numberOf(tag: Tag, name: string): number | null {
  const text = attributeOf(tag, name);
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (one) => (one === '&' ? '&amp;' : one === '<' ? '&lt;' : '&gt;'));
