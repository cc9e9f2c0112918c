/**
 * An entry of the change feed of the library, with what an index keeps of it. Numbers become visible in
 * ascending order, whatever commits when; a row that changed again stands at its newest number only. So a
 * chunk may come before its file: until the file has come it is not to be found.
 */
export type IndexChange =
  | ({ kind: 'document'; changeNo: number } & IndexDocument)
  | ({ kind: 'chunk'; changeNo: number } & IndexChunk)
  /** Every chunk of the file that came before this number is gone. */
  | { kind: 'chunks_gone'; changeNo: number; doc: number }
  /** Everything of the tenant that came before this number is gone. */
  | { kind: 'tenant_gone'; changeNo: number; tenant: string };

export interface IndexDocument {
  id: number;
  tenant: string;
  source: string;
  effective: boolean;
  /** Rank. */
  level: number;
  /** Valid in [from, until), epoch ms. */
  from: number;
  until: number;
}

export interface IndexChunk {
  id: number;
  tenant: string;
  doc: number;
  seq: number;
  /** Of its file. */
  title: string;
  path: string | null;
  text: string;
  /** float32 little-endian. */
  embedding: Buffer | null;
  model: string | null;
  dim: number | null;
}

/** Where changes come from: the database. */
export interface IndexSource {
  /** The newest change number, and the epoch of the store that gives them out. */
  position(): Promise<{ head: number; epoch: string }>;
  /**
   * Everything after a number, ascending, at most `limit`, in one view of the database. Fewer than `limit`:
   * there is no more.
   */
  changesAfter(changeNo: number, limit: number): Promise<IndexChange[]>;
  /** As `changesAfter`, but only the changes of files. */
  documentsAfter(changeNo: number, limit: number): Promise<IndexChange[]>;
}
