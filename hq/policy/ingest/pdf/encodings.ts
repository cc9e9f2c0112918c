// The character maps that a PDF names and does not carry ("UniGB-UCS2-H", "GBK-EUC-H", ISO 32000-1, 9.7.5.2),
// as much of them as it takes to read text: Chinese files whose fonts are not embedded have no other way to
// say what they say.

/**
 * The numbers of real glyphs end below this (Adobe-GB1-5 at 30,571); ours begin here, so that a number of
 * theirs is never read as a character.
 */
const FIRST_CID = 30_600;

/** Characters that have a number here, in the basic plane. From, to. */
const BLOCKS: readonly [number, number][] = [
  [0x20, 0x5ff],
  [0x2000, 0x33ff],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe30, 0xffef],
];

interface Encoding {
  /** Lengths of codes in bytes, by what they may begin and end with, as the map writes it. */
  spaces: readonly string[];
  /** A character set whose codes of two bytes these are; null: the codes are UTF-16. */
  decoder: string | null;
}

const SINGLE = '<00> <80>';
const gbk: Encoding = { spaces: [SINGLE, '<8140> <FEFE>'], decoder: 'gbk' };
const gb18030: Encoding = { spaces: [...gbk.spaces, '<81308130> <FE39FE39>'], decoder: 'gbk' };
const big5: Encoding = { spaces: [SINGLE, '<8140> <FEFE>'], decoder: 'big5' };
const ucs2: Encoding = { spaces: ['<0000> <FFFF>'], decoder: null };
const utf16: Encoding = {
  spaces: ['<0000> <D7FF>', '<D800DC00> <DBFFDFFF>', '<E000> <FFFF>'],
  decoder: null,
};

/** By the name without its direction, `-H` or `-V`. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'GB-EUC': gbk,
  'GBpc-EUC': gbk,
  'GBK-EUC': gbk,
  'GBKp-EUC': gbk,
  GBK2K: gb18030,
  B5pc: big5,
  'ETen-B5': big5,
  'ETenms-B5': big5,
  'HKscs-B5': big5,
  'UniGB-UCS2': ucs2,
  'UniCNS-UCS2': ucs2,
  'UniGB-UTF16': utf16,
  'UniCNS-UTF16': utf16,
};

const hex = (value: number, digits = 4): string => `<${value.toString(16).padStart(digits, '0')}>`;

/** Number of a character; null for one that has none here. */
function cidOf(code: number): number | null {
  let first = FIRST_CID;
  for (const [from, to] of BLOCKS) {
    if (code >= from && code <= to) return first + code - from;
    first += to - from + 1;
  }
  return null;
}

/** Codes of two bytes, each with its character. */
function* pairsOf(charset: string): Generator<[number, number]> {
  const decoder = new TextDecoder(charset);
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (text.length === 1 && text !== '\ufffd') yield [lead * 256 + trail, text.charCodeAt(0)];
    }
  }
}

function* rangesOf(encoding: Encoding): Generator<string> {
  if (encoding.decoder === null) {
    for (const [from, to] of BLOCKS) yield `${hex(from)} ${hex(to)} ${cidOf(from)}`;
    return;
  }
  yield `${hex(0x20, 2)} ${hex(0x7e, 2)} ${cidOf(0x20)}`;
  for (const [code, character] of pairsOf(encoding.decoder)) {
    const cid = cidOf(character);
    if (cid !== null) yield `${hex(code)} ${hex(code)} ${cid}`;
  }
}

/** From our numbers back to characters, in rows of 256: only the last byte counts up. */
function* charactersOf(): Generator<string> {
  for (const [from, to] of BLOCKS) {
    for (let code = from; code <= to; code = (code | 0xff) + 1) {
      const cid = cidOf(code) ?? 0;
      yield `${hex(cid)} ${hex(cid + Math.min(to, code | 0xff) - code)} ${hex(code)}`;
    }
  }
}

function mapOf(name: string): string | null {
  const head = (vertical: boolean): string =>
    `/CIDInit /ProcSet findresource begin\nbegincmap\n/CMapName /${name} def\n/WMode ` +
    `${vertical ? 1 : 0} def\n`;
  const section = (kind: string, lines: readonly string[]): string =>
    `${lines.length} begin${kind}\n${lines.join('\n')}\nend${kind}\n`;
  const map = (...sections: string[]): string => `${sections.join('')}endcmap\n`;
  // A glyph named by a number of its font's maker is not known here: it must not pass for the character of
  // that number.
  const unknown = `${hex(0)} ${hex(FIRST_CID - 1)} [${hex(0xfffd).repeat(FIRST_CID)}]`;
  if (/^Adobe-(?:GB1|CNS1)-UCS2$/.test(name))
    return map(
      head(false),
      section('codespacerange', ['<0000> <FFFF>']),
      section('bfrange', [unknown, ...charactersOf()]),
    );
  const encoding = ENCODINGS[name.replace(/-[HV]$/, '')];
  if (!encoding) return null;
  return map(
    head(name.endsWith('-V')),
    section('codespacerange', encoding.spaces),
    section('cidrange', [...rangesOf(encoding)]),
  );
}

/** What the reader of PDF asks for the maps, and for nothing else. */
export class PdfEncodings {
  /** @throws Error for what there is not; the reader goes on without it */
  fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? mapOf(filename) : null;
    return map === null
      ? Promise.reject(new Error(`there is no ${filename} here`))
      : Promise.resolve(Buffer.from(map, 'latin1'));
  }
}
