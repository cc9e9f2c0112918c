// One record of Dahua's stream: `Code=…;action=…;index=…;data={…}`.
import { parsedJson } from '../message/json.ts';
import { cleanText } from '../message/text.ts';

/** Characters of data that is no JSON that are kept. */
const KEPT_TEXT = 500;

export interface DahuaRecord {
  code: string;
  /** In small letters. */
  action: string;
  /** Counted from 0. */
  index: string;
  /** Further fields, which some firmwares write instead of data. */
  fields: Readonly<Record<string, string>>;
  data: unknown;
  /** What stands in place of JSON; null where nothing does. */
  unread: string | null;
}

/** null: it names no code. */
export function toldIn(text: string): DahuaRecord | null {
  const marked = /;\s*data\s*=/i.exec(text);
  const head = text.slice(0, marked?.index);
  const rest = marked ? text.slice(marked.index + marked[0].length).trim() : '';
  const fields = new Map(
    head.split(';').map((field) => {
      const [name = '', value = ''] = field.split('=');
      return [name.trim(), value.trim()] as const;
    }),
  );
  const take = (wanted: string): string | undefined => {
    const name = [...fields.keys()].find((one) => one.toLowerCase() === wanted);
    const value = name === undefined ? undefined : fields.get(name);
    if (name !== undefined) fields.delete(name);
    return value;
  };
  const code = cleanText(take('code'), 128);
  if (code === null) return null;
  const data = rest === '' ? undefined : jsonIn(rest);
  return {
    code,
    action: take('action')?.toLowerCase() ?? '',
    index: take('index') ?? '',
    fields: Object.fromEntries([...fields].filter(([name]) => name !== '')),
    data,
    unread: rest !== '' && data === undefined ? cleanText(rest, KEPT_TEXT) : null,
  };
}

/** Some firmwares leave line ends and other control characters in strings. */
const jsonIn = (text: string): unknown =>
  parsedJson(Buffer.from(text)) ?? parsedJson(Buffer.from(text.replace(/[\x00-\x1f]+/g, ' ')));
