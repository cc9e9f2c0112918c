// What ranking needs of every chunk, in arrays by the index's own numbers: 24 bytes a chunk.
import type Sqlite from 'better-sqlite3';

const FIRST_ROOM = 4_096;

export class Rows {
  /** Number of the file that a chunk is of; 0: there is no such chunk any more. */
  docOf = new Uint32Array(FIRST_ROOM);
  /** Id of a chunk. */
  idOf = new Float64Array(FIRST_ROOM);
  seqOf = new Uint32Array(FIRST_ROOM);
  spaceOf = new Uint32Array(FIRST_ROOM);
  /** Terms of a chunk, each as often as it stands there. */
  lengthOf = new Uint32Array(FIRST_ROOM);
  /** Id of a file by its number. */
  docIds = new Float64Array(FIRST_ROOM);
  /** Chunks of a file, and their length together. */
  chunksOf = new Uint32Array(FIRST_ROOM);
  lengthsOf = new Float64Array(FIRST_ROOM);
  #highest = 0;
  #alive = 0;
  #withVector = 0;

  static of(db: Sqlite.Database): Rows {
    const rows = new Rows();
    for (const [no, id] of db.prepare('select no, id from docs').raw().iterate() as Iterable<
      [number, number]
    >)
      rows.setDoc(no, id);
    const chunks = db
      .prepare('select no, id, doc, seq, space, length from chunks')
      .raw()
      .iterate() as Iterable<[number, number, number, number, number, number]>;
    for (const [no, id, doc, seq, space, length] of chunks)
      rows.addChunk(no, { id, doc, seq, space, length });
    // Deleted chunks are still in the full-text index, so that their numbers must not be given out again.
    const highest = db.prepare(`select value from facts where name = 'highest_no'`).pluck().get() as
      string | undefined;
    rows.#highest = Math.max(rows.#highest, Number(highest ?? 0));
    return rows;
  }

  /** The highest number given to a chunk. */
  get highest(): number {
    return this.#highest;
  }

  get alive(): number {
    return this.#alive;
  }

  /** Chunks with a vector. */
  get withVector(): number {
    return this.#withVector;
  }

  nextNo(): number {
    return this.#highest + 1;
  }

  setDoc(no: number, id: number): void {
    while (no >= this.docIds.length) {
      this.docIds = grown(this.docIds, Float64Array);
      this.chunksOf = grown(this.chunksOf, Uint32Array);
      this.lengthsOf = grown(this.lengthsOf, Float64Array);
    }
    this.docIds[no] = id;
  }

  addChunk(no: number, chunk: { id: number; doc: number; seq: number; space: number; length: number }): void {
    while (no >= this.docOf.length) {
      this.docOf = grown(this.docOf, Uint32Array);
      this.idOf = grown(this.idOf, Float64Array);
      this.seqOf = grown(this.seqOf, Uint32Array);
      this.spaceOf = grown(this.spaceOf, Uint32Array);
      this.lengthOf = grown(this.lengthOf, Uint32Array);
    }
    this.docOf[no] = chunk.doc;
    this.idOf[no] = chunk.id;
    this.seqOf[no] = chunk.seq;
    this.spaceOf[no] = chunk.space;
    this.lengthOf[no] = chunk.length;
    this.lengthsOf[chunk.doc] = (this.lengthsOf[chunk.doc] ?? 0) + chunk.length;
    this.chunksOf[chunk.doc] = (this.chunksOf[chunk.doc] ?? 0) + 1;
    this.#highest = Math.max(this.#highest, no);
    this.#alive += 1;
    if (chunk.space > 0) this.#withVector += 1;
  }

  setSpace(no: number, space: number): void {
    this.#withVector += Number(space > 0) - Number((this.spaceOf[no] ?? 0) > 0);
    this.spaceOf[no] = space;
  }

  dropChunk(no: number): void {
    const doc = this.docOf[no] ?? 0;
    if (doc === 0) return;
    this.docOf[no] = 0;
    this.setSpace(no, 0);
    this.chunksOf[doc] = (this.chunksOf[doc] ?? 1) - 1;
    this.lengthsOf[doc] = (this.lengthsOf[doc] ?? 0) - (this.lengthOf[no] ?? 0);
    this.#alive -= 1;
  }
}

function grown<T extends Uint32Array | Float64Array>(array: T, make: new (length: number) => T): T {
  const larger = new make(array.length * 2);
  larger.set(array as never);
  return larger;
}
