import type { Stamp } from '../../clock.ts';
import type { ChannelRecord } from './record.ts';

export type ChannelReferences = Pick<ChannelRecord, 'urlRef' | 'urlHost' | 'secretRef'>;

export type SaveOutcome =
  { kind: 'saved'; channel: ChannelRecord } | { kind: 'name_taken' } | { kind: 'no_channel' };

/**
 * Channels of tenants. Changes are audited on `channel:<id>` as `channel.created`, `channel.changed`,
 * `channel.removed`.
 */
export interface ChannelPort {
  /** Oldest first. @param tenantCode null: every tenant */
  list(tenantCode: string | null): Promise<ChannelRecord[]>;
  get(id: string): Promise<ChannelRecord | null>;
  create(channel: ChannelRecord, actor: string, stamp: Stamp): Promise<SaveOutcome>;
  /** Replaces the row of this id. */
  change(channel: ChannelRecord, actor: string, stamp: Stamp): Promise<SaveOutcome>;
  /** @returns what was removed, null when there was none */
  remove(id: string, actor: string, stamp: Stamp): Promise<ChannelRecord | null>;
}
