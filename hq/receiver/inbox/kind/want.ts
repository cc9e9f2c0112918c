import type { EvidenceWant } from '../../../../common/uplink/evidence.ts';
import type { InboxReader } from '../port.ts';

/** Gives the wanted files of these ids that their sites are still to bring, as they go down. */
export type OpenWants = (ids: readonly string[]) => Promise<EvidenceWant[]>;

/** Files that are wanted of the site. */
export const wantReader = (openWants: OpenWants): InboxReader => ({
  kind: 'want',
  read: async (entries) => {
    const open = await openWants(entries.map(({ id }) => id));
    return new Map(open.map((want) => [want.want_id, want]));
  },
});
