// Headquarters as people.test.ts and matrix.test.ts walk it: filled once for both.
import { onDemand } from '../../support/on-demand.ts';
import { type ConsoleRig, rigOf } from '../rig.ts';
import type { Started } from '../shared.ts';
import type { Ids } from './fill.ts';

export type World = Ids & { rig: ConsoleRig };

export async function openWorld(): Promise<World> {
  const { started, ids } = await onDemand<{ started: Started; ids: Ids }>('console-world');
  return { ...ids, rig: await rigOf(started) };
}
