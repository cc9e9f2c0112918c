import type { Stamp } from '../../../common/clock.ts';
import type { SiteUpgrade } from '../upgrade/record.ts';
import type {
  Candidate,
  FailedWay,
  Planned,
  Rollout,
  RolloutSite,
  RolloutState,
  SiteStep,
} from './record.ts';

export interface FleetSite extends Candidate {
  tenants: string[];
  groups: string[];
}

export type NewRollout = Pick<
  Rollout,
  'id' | 'boundTo' | 'version' | 'target' | 'hours' | 'caution' | 'startedBy' | 'waves'
> & { sites: readonly Planned[] };

/** How many sites of a wave are at a step. */
export interface StepCount {
  wave: number;
  step: SiteStep;
  excused: boolean;
  sites: number;
}

/** A site of a rollout as it is shown. */
export type ShownSite = RolloutSite & { displayName: string | null; lastSeenAt: number | null };

export interface SiteFilter {
  steps?: readonly SiteStep[] | undefined;
  wave?: number | undefined;
  /** Part of the name of the site. */
  q?: string | undefined;
}

/** What a person does to a rollout. */
export type RolloutAct = { kind: 'pause' | 'abort' } | { kind: 'resume'; failed: FailedWay };

export interface By {
  actor: string;
  /** As sites and people are shown. */
  name: string;
  stamp: Stamp;
}

/** Rollouts; each method is one transaction, with its entries of the audit. */
export interface RolloutPort {
  /** All that are registered. */
  sites(): Promise<FleetSite[]>;
  /** Those of these that a rollout which is not over holds, by name. */
  held(instances: readonly string[]): Promise<string[]>;
  /** @returns sites that others hold: then nothing was begun; or that the release is not there, whole */
  start(rollout: NewRollout, by: By): Promise<'started' | 'incomplete' | { held: string[] }>;
  /** @param bound as a caller is: of others there is none */
  get(id: string, bound: string | null): Promise<Rollout | null>;
  /** Newest first. @param after of the page before */
  list(
    filter: { bound: string | null; state?: RolloutState | undefined },
    after: { startedAt: number; id: string } | null,
    limit: number,
  ): Promise<Rollout[]>;
  /** By rollout. */
  counts(ids: readonly string[]): Promise<Map<string, StepCount[]>>;
  /** In the order in which they are begun. @param after place of the last of the page before */
  sitesOf(id: string, filter: SiteFilter, after: number | null, limit: number): Promise<ShownSite[]>;
  /** @returns as it is then; `over`: there is nothing to do any more. */
  act(rollout: Rollout, act: RolloutAct, by: By): Promise<Rollout | 'over'>;
  /** Those that are not over. */
  open(): Promise<Rollout[]>;
  /**
   * Lets one go on as far as it is due; nothing where another process does. @param hearing for how long sites
   * could have been heard, ms @returns whether more is to be done at once
   */
  goOn(id: string, hearing: number, stamp: Stamp): Promise<boolean>;
  /** What is wanted of a site; null: nothing ever was. */
  upgradeOf(instance: string): Promise<SiteUpgrade | null>;
}
