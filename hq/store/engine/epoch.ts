import type pg from 'pg';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import type { Tx } from './database.ts';

/**
 * The epoch of the store (DESIGN.md, "Two stores"), shared by every process of the database
 * and read again wherever positions are read, so that a renewal by one shows
 * in all.
 */
export class Epoch {
  #value = '';

  get value(): string {
    return this.#value;
  }

  /** The first opener of a new database makes it. */
  async open(client: pg.ClientBase, fresh: string): Promise<void> {
    await client.query(`insert into store_facts (name, value) values ('epoch', $1) on conflict do nothing`, [
      fresh,
    ]);
    const {
      rows: [fact],
    } = await client.query<{ value: string }>(`select value from store_facts where name = 'epoch'`);
    if (!fact) throw new Error('the database has no epoch');
    this.#value = fact.value;
  }

  /** Takes over the epoch that another read found in the database. */
  keep(value: string): void {
    this.#value = value;
  }

  /**
   * Renews the epoch because a source has a position beyond what is stored: the store was restored from a
   * backup, ids given out since the backup are given out again, and earlier cursors mean nothing. The first
   * source that shows this renews the epoch; the others were last stored under the old one and find it
   * renewed.
   */
  async renew(
    tx: Tx,
    source: { instance: string; epoch: string; channel: ChannelName },
    fresh: string,
  ): Promise<string> {
    const {
      rows: [row],
    } = await tx.client.query<{ current: string; stored: string | null }>(
      `select f.value as current, s.hub_epoch as stored from store_facts f, sources s
       where f.name = 'epoch' and s.instance = $1 and s.epoch = $2 and s.channel = $3 for update of f`,
      [source.instance, source.epoch, source.channel],
    );
    if (!row || row.current !== row.stored) return row?.current ?? this.#value;
    await tx.client.query(`update store_facts set value = $1 where name = 'epoch'`, [fresh]);
    return fresh;
  }
}
