import type { Caution } from './record.ts';
import type { PreviewInput, RolloutInput } from './schema.ts';
import type { Wanted } from './service.ts';

/** What a request wants, in the words of the service. */
export const wantedOf = ({ version, group, sites, all, first, waves }: PreviewInput): Wanted => ({
  ...{ version, first: first ?? [], shares: waves },
  target: { all: all ?? false, group: group ?? null, sites: sites ?? null },
});

export function cautionOf({ caution = {} }: RolloutInput): Partial<Caution> {
  const given = {
    settleMinutes: caution.settle_minutes,
    carefulWaves: caution.careful_waves,
    failPercent: caution.fail_percent,
    silentMinutes: caution.silent_minutes,
    restPercent: caution.rest_percent,
    restHours: caution.rest_hours,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
