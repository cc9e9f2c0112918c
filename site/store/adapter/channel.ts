import { and, asc, eq, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { channelAudit } from '../../../common/agent/channel/decide.ts';
import type { ChannelPort, SaveOutcome } from '../../../common/agent/channel/port.ts';
import type { ChannelRecord } from '../../../common/agent/channel/record.ts';
import type { Stamp } from '../../../common/clock.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { channels } from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';

export class SiteChannels implements ChannelPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;
  #enabled;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
    this.#enabled = orm
      .select()
      .from(channels)
      .where(and(eq(channels.tenantCode, sql.placeholder('tenantCode')), eq(channels.enabled, true)))
      .orderBy(asc(channels.createdAt), asc(channels.id))
      .prepare();
  }

  async list(tenantCode: string | null): Promise<ChannelRecord[]> {
    return this.#orm
      .select()
      .from(channels)
      .where(tenantCode === null ? undefined : eq(channels.tenantCode, tenantCode))
      .orderBy(asc(channels.createdAt), asc(channels.id))
      .all();
  }

  /** Also within the open transaction. */
  enabledOf(tenantCode: string): ChannelRecord[] {
    return this.#enabled.all({ tenantCode });
  }

  async get(id: string): Promise<ChannelRecord | null> {
    return this.#read(id);
  }

  create(channel: ChannelRecord, actor: string, stamp: Stamp): Promise<SaveOutcome> {
    return this.#group.write((): SaveOutcome => {
      if (this.#named(channel)) return { kind: 'name_taken' };
      this.#orm.insert(channels).values(channel).run();
      this.#audit.insert(channelAudit(null, channel, actor, stamp));
      return { kind: 'saved', channel };
    });
  }

  change(channel: ChannelRecord, actor: string, stamp: Stamp): Promise<SaveOutcome> {
    return this.#group.write((): SaveOutcome => {
      const prior = this.#read(channel.id);
      if (!prior) return { kind: 'no_channel' };
      const named = this.#named(channel);
      if (named && named.id !== channel.id) return { kind: 'name_taken' };
      this.#orm.update(channels).set(channel).where(eq(channels.id, channel.id)).run();
      this.#audit.insert(channelAudit(prior, channel, actor, stamp));
      return { kind: 'saved', channel };
    });
  }

  remove(id: string, actor: string, stamp: Stamp): Promise<ChannelRecord | null> {
    return this.#group.write(() => {
      const prior = this.#read(id);
      if (!prior) return null;
      this.#orm.delete(channels).where(eq(channels.id, id)).run();
      this.#audit.insert(channelAudit(prior, null, actor, stamp));
      return prior;
    });
  }

  #read(id: string): ChannelRecord | null {
    return this.#orm.select().from(channels).where(eq(channels.id, id)).get() ?? null;
  }

  #named({ tenantCode, name }: ChannelRecord): ChannelRecord | null {
    return (
      this.#orm
        .select()
        .from(channels)
        .where(and(eq(channels.tenantCode, tenantCode), eq(channels.name, name)))
        .get() ?? null
    );
  }
}
