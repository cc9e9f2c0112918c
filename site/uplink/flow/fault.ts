import type { LinkFault } from '../../site-messages.ts';

/**
 * Why what waits does not go although every try went well: an older headquarters takes none of it. Pure.
 * @param understood as its last answer said; null: it has not answered, or takes it in any version
 */
export const untaken = (understood: boolean | null, waits: boolean): LinkFault | null =>
  understood === false && waits ? { code: 'hub_takes_none', params: {} } : null;
