import type Database from 'better-sqlite3';
import type { GroupCommit, Participant } from './database.ts';

/** What a column holds: the number of a word, or `=` and the text when the dictionary has no room for it. */
export type Word = number | string;

/** When there are this many, further ones stand in the events themselves; words are never removed. */
const MAX_WORDS = 4096;

/**
 * Numbers for the short texts that come again and again in events: tenant,
 * type, kind, node … They make rows smaller, so that more of them share a page.
 */
export class Dictionary implements Participant {
  #numbers = new Map<string, number>();
  #texts: string[] = [];
  /** Added in the open transaction. */
  #added: string[] = [];
  #insert: Database.Statement<[number, string]>;

  constructor(group: GroupCommit) {
    this.#insert = group.sqlite.prepare('INSERT INTO words (id, text) VALUES (?, ?)');
    for (const [id, text] of group.sqlite.prepare<[], [number, string]>('SELECT id, text FROM words ORDER BY id').raw().all()) {
      this.#numbers.set(text, id);
      this.#texts[id] = text;
    }
    group.join(this);
  }

  /** Adds the word when it is new; to be called in a transaction. */
  encode(text: string): Word {
    return this.#numbers.get(text) ?? this.#add(text);
  }

  /** What an event would hold for this text. */
  find(text: string): Word {
    return this.#numbers.get(text) ?? inline(text);
  }

  decode(word: Word): string {
    if (typeof word === 'string') return word.slice(1);
    const text = this.#texts[word];
    if (text === undefined) throw new Error(`word ${word} is missing from the store`);
    return text;
  }

  /** A place in the open transaction to go back to. */
  mark(): number {
    return this.#added.length;
  }

  undoTo(mark: number): void {
    for (const text of this.#added.splice(mark)) {
      const id = this.#numbers.get(text);
      this.#numbers.delete(text);
      // Those of one transaction are the last ones.
      if (id !== undefined) this.#texts.length = Math.min(this.#texts.length, id);
    }
  }

  committed(): void {
    this.#added.length = 0;
  }

  rolledBack(): void {
    this.undoTo(0);
  }

  syncing(): void {
    // Words are found by what is committed.
  }

  durable(): void {
    // Words are found by what is committed.
  }

  #add(text: string): Word {
    const id = Math.max(this.#texts.length, 1);
    if (id > MAX_WORDS || !text.isWellFormed()) return inline(text);
    this.#insert.run(id, text);
    this.#numbers.set(text, id);
    this.#texts[id] = text;
    this.#added.push(text);
    return id;
  }
}

// The sign keeps SQLite from taking a text of digits for a number.
const inline = (text: string): string => `=${text}`;
