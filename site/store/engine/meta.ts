import type Database from 'better-sqlite3';

/** Single values beside the tables. Numbers are kept as decimal text. */
export type MetaKey =
  | 'epoch'
  /** Ids continue after this, also when the table is empty. */
  | 'last_event_id'
  /**
   * Ids up to this one may never have been given out: those of the store before this one were left behind in
   * one leap.
   */
  | 'ids_began_after'
  /** The key index is complete for events up to this id. */
  | 'keys_upto'
  /** Events up to this id are in the index of events, and how many those are; see event-index/. */
  | 'index_events_upto'
  | 'indexed_events'
  /** They are there with their verdicts up to this change number. */
  | 'index_changes_upto'
  /** Receipt times go on from this, epoch ms, also when the table is empty. */
  | 'last_received_at'
  /** Change numbers continue after this, and their times from this, epoch ms. */
  | 'last_change_no'
  | 'last_change_at'
  /** Numbers of the log that goes up continue after this. */
  | 'last_sent_no'
  /** Newest number of the log whose judgement retention has deleted. */
  | 'last_dropped_no'
  /** Numbers of notifications continue after this, also when the newest are gone. */
  | 'last_notification_seq'
  /** 1: the store was salvaged, and which files wait to be offered to headquarters is not known. */
  | 'offers_lost'
  /** Time of the last probe, epoch ms. */
  | 'probed_at'
  /** What `restore` left for the next start, JSON; see restored-note.ts. */
  | 'restored'
  /** Changes of the policies in force, as search indexes follow them, and rounds through all files. */
  | 'library_no'
  | 'library_round'
  /** What headquarters has set here, JSON: `KeptSettings`. */
  | 'settings'
  /** The version that headquarters wants here, and how far it is, JSON: `KeptUpgrade`. */
  | 'upgrade'
  /** `node_activity` and `history` count events up to this id. */
  | 'history_upto';

export class Meta {
  #get: Database.Statement<[string], string>;
  #set: Database.Statement<[string, string]>;

  constructor(sqlite: Database.Database) {
    this.#get = sqlite.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
    this.#set = sqlite.prepare<[string, string]>(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
  }

  text(key: MetaKey): string | null {
    return this.#get.get(key) ?? null;
  }

  /** 0 when it was never set. */
  number(key: MetaKey): number {
    return Number(this.#get.get(key) ?? 0);
  }

  set(key: MetaKey, value: string | number): void {
    this.#set.run(key, String(value));
  }
}
