// The numbers that Word makes by itself (ECMA-376 part 1, 17.9): which list and level a paragraph is of, and
// how far each list has counted. Most regulations are numbered so; without it their clauses would have no
// numbers.
import { formatNumber } from './number-format.ts';
import { attributeOf, numberOf, type Tag, tagsOf } from './tags.ts';

const LEVELS = 9;
/** Nobody writes a longer number; a document could repeat one at each paragraph. UTF-16 units. */
const MAX_TEXT = 40;

interface Level {
  start: number;
  format: string;
  /** %1 to %9 stand for the numbers of the levels. */
  text: string;
  suffix: string;
  /** Counts anew after this level, from 1; 0: never; null: after each higher one. */
  restart: number | null;
  style: string | null;
  legal: boolean;
}

interface Pattern {
  levels: Map<number, Level>;
  /** The style that has the levels instead. */
  link: string | null;
}

interface List {
  pattern: string;
  levels: Map<number, Level>;
  starts: Map<number, number>;
}

interface Style {
  basedOn: string | null;
  list: string | null;
  level: number | null;
}

/** What a paragraph says of itself; null where it leaves it to its style. */
export interface Numbered {
  style: string | null;
  list: string | null;
  level: number | null;
}

export class Numbering {
  #patterns = new Map<string, Pattern>();
  #lists = new Map<string, List>();
  #styles = new Map<string, Style>();
  #normal: string | null = null;
  /** By pattern: how far each level has counted. Lists of one pattern count on together. */
  #counts = new Map<string, (number | undefined)[]>();
  #used = new Set<string>();

  /** @param styles the parts as XML; empty where the document has none */
  constructor(numbering: string, styles: string) {
    this.#readNumbering(numbering);
    this.#readStyles(styles);
  }

  /**
   * Counts one paragraph. @returns its number with what parts it from the text, or null where it shows none
   */
  next(paragraph: Numbered): string | null {
    const found = this.#placeOf(paragraph);
    if (!found) return null;
    const { list, levels, pattern, at } = found;
    const level = levels.get(at);
    if (!level) return null;
    const startOf = (one: number): number =>
      this.#lists.get(list)?.starts.get(one) ?? levels.get(one)?.start ?? 1;
    const counts = this.#countsOf(pattern, list);
    const count = counts[at];
    counts[at] = count === undefined ? startOf(at) : count + 1;
    for (let below = at + 1; below < LEVELS; below += 1) {
      const restart = levels.get(below)?.restart ?? null;
      if (restart === null || at < restart) counts[below] = undefined;
    }
    if (level.format === 'bullet') return null;
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const one = Number(digit) - 1;
      return formatNumber(
        counts[one] ?? startOf(one),
        level.legal ? 'decimal' : (levels.get(one)?.format ?? 'decimal'),
      );
    });
    return text.trim() === '' ? null : `${text.slice(0, MAX_TEXT)}${level.suffix === 'nothing' ? '' : ' '}`;
  }

  #countsOf(pattern: string, list: string): (number | undefined)[] {
    let counts = this.#counts.get(pattern);
    if (!counts) this.#counts.set(pattern, (counts = []));
    if (!this.#used.has(list))
      for (const level of this.#lists.get(list)?.starts.keys() ?? []) counts[level] = undefined;
    this.#used.add(list);
    return counts;
  }

  #placeOf({
    style,
    list,
    level,
  }: Numbered): { list: string; pattern: string; levels: Map<number, Level>; at: number } | null {
    const chain = this.#chainOf(style ?? this.#normal);
    const inherited = chain
      .map((id) => this.#styles.get(id))
      .find((one) => one?.list !== null && one?.list !== undefined);
    const named = list ?? inherited?.list ?? null;
    if (named === null || named === '0') return null;
    const found = this.#levelsOf(named);
    if (!found) return null;
    const ofStyle = chain
      .map((id) => [...found.levels].find(([, one]) => one.style === id)?.[0])
      .find((at) => at !== undefined);
    return { list: named, ...found, at: level ?? ofStyle ?? inherited?.level ?? 0 };
  }

  /** The style and those that it is based on. */
  #chainOf(style: string | null): string[] {
    const chain: string[] = [];
    for (
      let id = style;
      id !== null && !chain.includes(id) && chain.length < 20;
      id = this.#styles.get(id)?.basedOn ?? null
    )
      chain.push(id);
    return chain;
  }

  #levelsOf(name: string, linked = false): { pattern: string; levels: Map<number, Level> } | null {
    const list = this.#lists.get(name);
    const pattern = this.#patterns.get(list?.pattern ?? '');
    if (!list || !pattern) return null;
    if (pattern.link !== null && pattern.levels.size === 0 && !linked) {
      const other = this.#styles.get(pattern.link)?.list;
      return other === null || other === undefined ? null : this.#levelsOf(other, true);
    }
    return {
      pattern: list.pattern,
      levels: list.levels.size === 0 ? pattern.levels : new Map([...pattern.levels, ...list.levels]),
    };
  }

  #readNumbering(xml: string): void {
    let pattern: Pattern | null = null;
    let list: List | null = null;
    let level: Level | null = null;
    let overridden = 0;
    for (const tag of tagsOf(xml)) {
      if (tag.kind === 'close') {
        if (tag.name === 'lvl') level = null;
        if (tag.name === 'abstractNum') pattern = null;
        if (tag.name === 'num') list = null;
      } else if (tag.name === 'abstractNum') {
        this.#patterns.set(
          attributeOf(tag, 'abstractNumId') ?? '',
          (pattern = { levels: new Map(), link: null }),
        );
      } else if (tag.name === 'num') {
        this.#lists.set(
          attributeOf(tag, 'numId') ?? '',
          (list = { pattern: '', levels: new Map(), starts: new Map() }),
        );
      } else if (tag.name === 'lvl') {
        level = {
          start: 1,
          format: 'decimal',
          text: '',
          suffix: 'tab',
          restart: null,
          style: null,
          legal: false,
        };
        (list ?? pattern)?.levels.set(numberOf(tag, 'ilvl') ?? 0, level);
      } else if (tag.name === 'lvlOverride') {
        overridden = numberOf(tag, 'ilvl') ?? 0;
      } else if (tag.name === 'startOverride') {
        list?.starts.set(overridden, numberOf(tag, 'val') ?? 1);
      } else if (tag.name === 'abstractNumId' && list) {
        list.pattern = attributeOf(tag, 'val') ?? '';
      } else if (tag.name === 'numStyleLink' && pattern) {
        pattern.link = attributeOf(tag, 'val');
      } else if (level) {
        readLevel(level, tag);
      }
    }
  }

  #readStyles(xml: string): void {
    let style: Style | null = null;
    for (const tag of tagsOf(xml)) {
      if (tag.name === 'style') {
        style = tag.kind === 'open' ? { basedOn: null, list: null, level: null } : null;
        const id = attributeOf(tag, 'styleId');
        if (!style || id === null) continue;
        this.#styles.set(id, style);
        if (
          attributeOf(tag, 'type') === 'paragraph' &&
          /^(?:1|true|on)$/.test(attributeOf(tag, 'default') ?? '')
        )
          this.#normal = id;
      } else if (style && tag.kind !== 'close') {
        if (tag.name === 'basedOn') style.basedOn = attributeOf(tag, 'val');
        if (tag.name === 'numId') style.list = attributeOf(tag, 'val');
        if (tag.name === 'ilvl') style.level = numberOf(tag, 'val');
      }
    }
  }
}

function readLevel(level: Level, tag: Tag): void {
  const value = attributeOf(tag, 'val');
  if (tag.name === 'start') level.start = numberOf(tag, 'val') ?? 1;
  if (tag.name === 'numFmt') level.format = value ?? 'decimal';
  if (tag.name === 'lvlText') level.text = (value ?? '').slice(0, MAX_TEXT);
  if (tag.name === 'suff') level.suffix = value ?? 'tab';
  if (tag.name === 'lvlRestart') level.restart = numberOf(tag, 'val');
  if (tag.name === 'pStyle') level.style = value;
  if (tag.name === 'isLgl') level.legal = !/^(?:0|false|off)$/.test(value ?? '');
}
