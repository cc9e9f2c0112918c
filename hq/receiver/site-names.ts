import type { Clock } from '../../common/clock.ts';
import { calledOf, type InstanceNames } from '../../common/core/instance/record.ts';
import type { SitePort } from './port.ts';

/** How long names are believed, ms. */
const KEPT_MS = 10_000;

/** The names that people gave sites. */
export function siteNames(sites: Pick<SitePort, 'list'>, clock: Clock): InstanceNames {
  let known: { at: number; names: Promise<Map<string, string>> } | null = null;
  const read = async (): Promise<Map<string, string>> =>
    new Map(
      (await sites.list()).map(({ instance, displayName }) => [instance, calledOf(instance, displayName)]),
    );
  return async () => {
    const at = clock.monotonic();
    if (known === null || at - known.at >= KEPT_MS) known = { at, names: read() };
    const names = await known.names.catch((error: unknown) => {
      known = null;
      throw error;
    });
    return (instance) => names.get(instance) ?? instance;
  };
}
