// A policy library of any size: clauses of words that are as unequally common as those of a language, and
// vectors in clusters.
import type pg from 'pg';
import { type SeedDocument, seedLibrary } from '../../support/policy-library.ts';
import { type Random, seededRandom } from '../../support/random.ts';

export const TENANTS = 10;
export const DIM = 1_024;
export const MODEL = 'bench-1024';
const CLAUSES_PER_FILE = 50;
const WORDS = 4_000;
const CLUSTERS = 500;
const FILES_AT_ONCE = 40;

export class PolicyData {
  readonly random: Random;
  #words: string[];
  #centres: Float32Array[];

  constructor(seed = 1) {
    this.random = seededRandom(seed);
    const han = (): string => String.fromCodePoint(0x4e00 + Math.floor(this.random.next() ** 2 * 3_000));
    this.#words = Array.from({ length: WORDS }, () =>
      Array.from({ length: this.random.whole(2, 4) }, han).join(''),
    );
    this.#centres = Array.from({ length: CLUSTERS }, () => this.#gaussian());
  }

  tenant = (at: number): string => `T${at % TENANTS}`;

  /** Common words are at the front of the list. */
  word = (): string => this.#words[Math.floor(this.random.next() ** 3 * WORDS)] as string;

  sentence(words: number): string {
    return Array.from({ length: words }, () => this.word()).join('');
  }

  clause(): string {
    return (
      Array.from({ length: this.random.whole(3, 7) }, () => this.sentence(this.random.whole(6, 14))).join(
        '，',
      ) + `。见 GB-${this.random.whole(1000, 9999)}`
    );
  }

  vector(): Float32Array {
    const centre = this.random.pick(this.#centres);
    const vector = new Float32Array(DIM);
    for (let at = 0; at < DIM; at += 1)
      vector[at] = (centre[at] as number) + (this.random.next() - 0.5) * 1.5;
    return vector;
  }

  /** @returns how many chunks were stored */
  async fill(client: pg.ClientBase, chunks: number): Promise<void> {
    const files = Math.ceil(chunks / CLAUSES_PER_FILE);
    for (let from = 0; from < files; from += FILES_AT_ONCE) {
      const documents = Array.from(
        { length: Math.min(FILES_AT_ONCE, files - from) },
        (_, at): SeedDocument => ({
          tenant: this.tenant(from + at),
          level: Math.floor((from + at) / TENANTS) % 4,
          source: `s${(from + at) % 3}`,
          chunks: Array.from({ length: CLAUSES_PER_FILE }, (_unused, seq) => ({
            clausePath: `第${seq + 1}条`,
            text: this.clause(),
            vector: this.vector(),
            model: MODEL,
          })),
        }),
      );
      await seedLibrary(client, documents);
    }
  }

  #gaussian(): Float32Array {
    return Float32Array.from({ length: DIM }, () => this.random.next() + this.random.next() - 1);
  }
}
