// Brings the index of events of either store up to date, as the program does in the background.
import type { Stores } from '../../common/core/stores.ts';

interface Indexed {
  eventIndex: { fill(): Promise<void> } | { round(): Promise<{ again: boolean }> };
}

export async function indexEvents(stores: Stores): Promise<void> {
  const { eventIndex } = stores as Stores & Indexed;
  if ('fill' in eventIndex) await eventIndex.fill();
  else while ((await eventIndex.round()).again);
}
