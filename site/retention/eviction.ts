import { setTimeout as sleep } from 'node:timers/promises';
import { stampOf, type Clock } from '../../common/clock.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { RetentionHook, RetentionPort } from '../../common/core/retention/port.ts';
import type { UnreportedLoss } from '../../common/core/retention/record.ts';
import type { Logger } from '../../common/log.ts';
import { allowance, type Budget } from './budget.ts';
import type { EvictionPort } from './port.ts';

const SLICE = 500;
/** Pause between slices, in which intake and pulls go first, ms. */
const PAUSE_MS = 20;
/**
 * After a pass over everything the next one looks at newer events only, and at all of them after this long,
 * ms.
 */
const AGAIN_MS = 600_000;

export interface EvictionOptions {
  eviction: EvictionPort;
  retention: RetentionPort;
  /** Told at once of events that are deleted from among others that stay. */
  retentionHooks: readonly RetentionHook[];
  files: EvidenceFiles;
  /** Measures the room on the disk anew. */
  measure: () => Promise<Budget>;
  /** Reports to a person that a consumer has lost events that it had not read. */
  reportLoss: (loss: UnreportedLoss) => Promise<void>;
  clock: Clock;
  log: Logger;
}

/**
 * Deletes what headquarters holds while the disk is short (spec 2, "Resource limits"): oldest first, in the
 * order evidence, observations, events. An episode lasts until there is room again; it deletes at most half
 * of what was kept, and further halves when a person confirms.
 */
export class Eviction {
  #options: EvictionOptions;
  /** How far the search among events that stay has come, and since when, monotonic ms. */
  #searched = {
    observations: { position: 0, since: -Infinity },
    all: { position: 0, since: -Infinity },
  };

  constructor(options: EvictionOptions) {
    this.#options = options;
  }

  /** Ends the episode when there is one: there is room again. */
  async end(): Promise<void> {
    const { eviction, log } = this.#options;
    const { counts, episode } = eviction.state();
    if (episode === null) return;
    await eviction.change((state) => ({ ...state, episode: null, guardSince: null }));
    log.info({ counts }, 'the disk is no longer short');
  }

  /**
   * One round of an episode, which begins when there is none.
   * @param short the room that made it necessary
   */
  async run(short: Budget, signal: AbortSignal): Promise<void> {
    const { eviction, log, measure } = this.#options;
    if (eviction.state().episode === null) await this.#begin(short);
    await this.#grown();
    const before = eviction.state().counts;
    for (const step of [
      () => this.#evidence(signal),
      () => this.#apart('observations', signal),
      () => this.#events(signal),
      () => this.#apart('all', signal),
    ]) {
      if (!signal.aborted && (await measure()).room < short.high) await step();
    }
    const after = eviction.state().counts;
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await this.#reportLosses();
    log.warn({ counts: after }, 'things that headquarters holds were deleted here for want of room');
  }

  async #begin(short: Budget): Promise<void> {
    const { eviction, clock, log } = this.#options;
    log.warn({ ...short }, 'the disk is short; what headquarters holds is deleted here, oldest first');
    await eviction.change((state) => ({
      ...state,
      episode: {
        startedAt: clock.now(),
        total: eviction.kept(),
        gone: { evidence: 0, events: 0 },
        allowed: 1,
      },
    }));
  }

  async #reportLosses(): Promise<void> {
    const { retention, clock, reportLoss } = this.#options;
    const { untold } = await retention.finishRound(stampOf(clock));
    for (const loss of untold) {
      await reportLoss(loss);
      await retention.lossReported(loss.consumer, loss.events);
    }
  }

  /** What arrived after the episode began counts as kept, too: half of it may be deleted. */
  async #grown(): Promise<void> {
    const { eviction } = this.#options;
    const kept = eviction.kept();
    const { episode } = eviction.state();
    if (episode === null) return;
    const { total, gone } = episode;
    const grown = {
      evidence: Math.max(total.evidence, kept.evidence + gone.evidence),
      events: Math.max(total.events, kept.events + gone.events),
    };
    if (grown.evidence === total.evidence && grown.events === total.events) return;
    await eviction.change((state) => ({
      ...state,
      episode: state.episode && { ...state.episode, total: grown },
    }));
  }

  /** Runs slices until there is room, nothing is left, or half of what was kept is deleted. */
  async #slices(
    kind: 'evidence' | 'events',
    signal: AbortSignal,
    slice: (limit: number) => Promise<boolean>,
  ): Promise<void> {
    const { eviction } = this.#options;
    while (!signal.aborted) {
      const { episode } = eviction.state();
      const left = episode === null ? 0 : allowance(episode, kind);
      if (left === 0) {
        if (episode !== null && episode.gone[kind] > 0 && eviction.kept()[kind] > 0) await this.#guard();
        return;
      }
      if (!(await slice(Math.min(SLICE, left)))) return;
      const { room, high } = await this.#options.measure();
      if (room >= high) return;
      await sleep(PAUSE_MS);
    }
  }

  async #evidence(signal: AbortSignal): Promise<void> {
    const { eviction, clock } = this.#options;
    // While the folder is missing, removing records makes no room and would leave files behind for its
    // return.
    if (!(await this.#options.files.present())) return;
    return this.#slices('evidence', signal, async (limit) => {
      const { dropped, files } = await eviction.forgetEvidence(
        eviction.evidence(Math.min(limit, 50)),
        clock.now(),
      );
      // A crash before this leaves files without a record, which are swept later.
      for (const { eventId, sha256 } of files) await this.#options.files.remove(eventId, sha256);
      return dropped > 0;
    });
  }

  #events(signal: AbortSignal): Promise<void> {
    const { eviction, clock } = this.#options;
    return this.#slices('events', signal, async (limit) => {
      return (await eviction.dropEvents(limit, clock.now())) > 0;
    });
  }

  /**
   * Deletes from among events that stay. So observations go before any other event, and an event that must be
   * kept does not keep those after it.
   */
  #apart(what: 'observations' | 'all', signal: AbortSignal): Promise<void> {
    const { eviction, clock, retentionHooks } = this.#options;
    if (clock.monotonic() - this.#searched[what].since > AGAIN_MS)
      this.#searched[what] = { position: 0, since: clock.monotonic() };
    const reached = this.#searched[what];
    return this.#slices('events', signal, async (limit) => {
      const { ids, next } = await eviction.dropApart({
        observationsOnly: what === 'observations',
        after: reached.position,
        limit,
        now: clock.now(),
      });
      if (ids.length > 0) for (const hook of retentionHooks) await hook.forget(ids, stampOf(clock));
      reached.position = next ?? reached.position;
      return next !== null;
    });
  }

  async #guard(): Promise<void> {
    const { eviction, clock, log } = this.#options;
    if (eviction.state().guardSince !== null) return;
    await eviction.change((state) => ({ ...state, guardSince: clock.now() }));
    log.error(
      'half of what was kept is deleted and the disk is still short; nothing more is deleted until a ' +
        'person confirms it',
    );
  }
}
