import { and, asc, eq } from 'drizzle-orm';
import { channelAudit } from '../../../common/agent/channel/decide.ts';
import type { ChannelPort, SaveOutcome } from '../../../common/agent/channel/port.ts';
import type { ChannelRecord } from '../../../common/agent/channel/record.ts';
import type { Stamp } from '../../../common/clock.ts';
import type { Database, Tx } from '../engine/database.ts';
import { isUniqueViolation } from '../engine/errors.ts';
import { channels } from '../schema/notification.ts';
import { appendAudit } from './audit.ts';

export class HubChannels implements ChannelPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(tenantCode: string | null): Promise<ChannelRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(channels)
        .where(tenantCode === null ? undefined : eq(channels.tenantCode, tenantCode))
        .orderBy(asc(channels.createdAt), asc(channels.id)),
    );
  }

  get(id: string): Promise<ChannelRecord | null> {
    return this.#database.read(
      async (db) => (await db.select().from(channels).where(eq(channels.id, id)))[0] ?? null,
    );
  }

  create(channel: ChannelRecord, actor: string, stamp: Stamp): Promise<SaveOutcome> {
    return named(() =>
      this.#database.transaction(async (tx) => {
        await tx.db.insert(channels).values(channel);
        await appendAudit(tx, channelAudit(null, channel, actor, stamp));
        return { kind: 'saved', channel } as const;
      }),
    );
  }

  change(channel: ChannelRecord, actor: string, stamp: Stamp): Promise<SaveOutcome> {
    return named(() =>
      this.#database.transaction(async (tx): Promise<SaveOutcome> => {
        const prior = await locked(tx, channel.id);
        if (!prior) return { kind: 'no_channel' };
        await tx.db.update(channels).set(channel).where(own(prior));
        await appendAudit(tx, channelAudit(prior, channel, actor, stamp));
        return { kind: 'saved', channel };
      }),
    );
  }

  remove(id: string, actor: string, stamp: Stamp): Promise<ChannelRecord | null> {
    return this.#database.transaction(async (tx) => {
      const prior = await locked(tx, id);
      if (!prior) return null;
      await tx.db.delete(channels).where(own(prior));
      await appendAudit(tx, channelAudit(prior, null, actor, stamp));
      return prior;
    });
  }
}

/** Enabled channels of a tenant, within the open transaction. */
export const enabledChannels = (tx: Tx, tenantCode: string): Promise<ChannelRecord[]> =>
  tx.db
    .select()
    .from(channels)
    .where(and(eq(channels.tenantCode, tenantCode), eq(channels.enabled, true)))
    .orderBy(asc(channels.createdAt), asc(channels.id));

const own = ({ tenantCode, id }: ChannelRecord) =>
  and(eq(channels.tenantCode, tenantCode), eq(channels.id, id));

const locked = async (tx: Tx, id: string): Promise<ChannelRecord | null> =>
  (await tx.db.select().from(channels).where(eq(channels.id, id)).for('update'))[0] ?? null;

/** The unique key decides between writers at once. */
async function named(save: () => Promise<SaveOutcome>): Promise<SaveOutcome> {
  try {
    return await save();
  } catch (error) {
    if (isUniqueViolation(error)) return { kind: 'name_taken' };
    throw error;
  }
}
