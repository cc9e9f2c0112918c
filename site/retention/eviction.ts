import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, stampOf } from '../../common/clock.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { RetentionHook, RetentionPort } from '../../common/core/retention/port.ts';
import type { UnreportedLoss } from '../../common/core/retention/record.ts';
import type { Logger } from '../../common/log.ts';
import { allowance, type Budget, lossBounds } from './budget.ts';
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
  /** Whether files may go to headquarters at all. */
  sendsEvidence: boolean;
  /** Measures the room on the disk anew. */
  measure: () => Promise<Budget>;
  /** Reports to a person that a consumer has lost events that it had not read. */
  reportLoss: (loss: UnreportedLoss) => Promise<void>;
  clock: Clock;
  log: Logger;
}

/**
 * Deletes what headquarters holds while the disk is short: oldest first, in the order evidence, observations,
 * events. Evidence that exists nowhere else is sent ahead then, the worst first, and what the link could not
 * bring away is deleted when there is next to no room left, the least severe and oldest first. An
 * episode lasts until there is room again; it deletes at most half of what was kept, and further halves when
 * a person confirms.
 */
export class Eviction {
  readonly #options: EvictionOptions;
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
    const { counts, episode } = this.#options.eviction.state();
    if (episode === null) return;
    await this.#options.eviction.change((state) => ({ ...state, episode: null, guardSince: null }));
    this.#options.log.info({ counts }, 'the disk is no longer short');
  }

  /**
   * One round of an episode, which begins when there is none.
   * @param short the room that made it necessary
   */
  async run(short: Budget, signal: AbortSignal): Promise<void> {
    if (this.#options.eviction.state().episode === null) await this.#begin(short);
    await this.#grown();
    const before = this.#options.eviction.state().counts;
    for (const step of [
      () => this.#evidence('evidence', short.high, signal),
      () => this.#apart('observations', signal),
      () => this.#events(signal),
      () => this.#apart('all', signal),
    ]) {
      if (!signal.aborted && (await this.#options.measure()).room < short.high) await step();
    }
    await this.#onlyHere(short, signal);
    const after = this.#options.eviction.state().counts;
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await this.#reportLosses();
    this.#options.log.warn({ counts: after }, 'things were deleted here for want of room');
  }

  /** What headquarters does not hold is offered to it, and deleted when nothing else is left. */
  async #onlyHere(short: Budget, signal: AbortSignal): Promise<void> {
    if (signal.aborted || (await this.#options.measure()).room >= short.high) return;
    if (this.#options.sendsEvidence) {
      const offered = await this.#options.eviction.offerAll();
      if (offered > 0)
        this.#options.log.warn({ offered }, 'evidence is sent ahead to headquarters for want of room');
    }
    const { below, upTo } = lossBounds(short);
    if ((await this.#options.measure()).room < below) await this.#evidence('lost', upTo, signal);
  }

  async #begin(short: Budget): Promise<void> {
    this.#options.log.warn(
      { ...short },
      'the disk is short; what headquarters holds is deleted here, oldest first',
    );
    await this.#options.eviction.change((state) => ({
      ...state,
      episode: {
        startedAt: this.#options.clock.now(),
        total: this.#options.eviction.kept(),
        gone: { evidence: 0, events: 0 },
        allowed: 1,
      },
    }));
  }

  async #reportLosses(): Promise<void> {
    const { untold } = await this.#options.retention.finishRound(stampOf(this.#options.clock));
    for (const loss of untold) {
      await this.#options.reportLoss(loss);
      await this.#options.retention.lossReported(loss.consumer, loss.events);
    }
  }

  /** What arrived after the episode began counts as kept, too: half of it may be deleted. */
  async #grown(): Promise<void> {
    const kept = this.#options.eviction.kept();
    const { episode } = this.#options.eviction.state();
    if (episode === null) return;
    const { total, gone } = episode;
    const grown = {
      evidence: Math.max(total.evidence, kept.evidence + gone.evidence),
      events: Math.max(total.events, kept.events + gone.events),
    };
    if (grown.evidence === total.evidence && grown.events === total.events) return;
    await this.#options.eviction.change((state) => ({
      ...state,
      episode: state.episode && { ...state.episode, total: grown },
    }));
  }

  /** Runs slices until there is room, nothing is left, or half of what was kept is deleted. */
  async #slices(
    kind: 'evidence' | 'events',
    signal: AbortSignal,
    slice: (limit: number) => Promise<boolean>,
    enough?: number,
  ): Promise<void> {
    while (!signal.aborted) {
      const { episode } = this.#options.eviction.state();
      const left = episode === null ? 0 : allowance(episode, kind);
      if (left === 0) {
        if (episode !== null && episode.gone[kind] > 0 && this.#options.eviction.kept()[kind] > 0)
          await this.#guard();
        return;
      }
      if (!(await slice(Math.min(SLICE, left)))) return;
      const { room, high } = await this.#options.measure();
      if (room >= (enough ?? high)) return;
      await sleep(PAUSE_MS);
    }
  }

  /** @param enough room at which it stops */
  async #evidence(kind: 'evidence' | 'lost', enough: number, signal: AbortSignal): Promise<void> {
    // While the folder is missing, removing records makes no room and would leave files behind for its
    // return.
    if (!(await this.#options.files.present())) return;
    const next = (limit: number) =>
      kind === 'evidence' ? this.#options.eviction.evidence(limit) : this.#options.eviction.onlyHere(limit);
    // One by one where each is a loss.
    const most = kind === 'evidence' ? 50 : 1;
    const slice = async (limit: number): Promise<boolean> => {
      const { dropped, files } = await this.#options.eviction.forgetEvidence(
        next(Math.min(limit, most)),
        this.#options.clock.now(),
        kind,
      );
      // A crash before this leaves files without a record, which are swept later.
      for (const { eventId, sha256 } of files) await this.#options.files.remove(eventId, sha256);
      return dropped > 0;
    };
    return this.#slices('evidence', signal, slice, enough);
  }

  #events(signal: AbortSignal): Promise<void> {
    return this.#slices('events', signal, async (limit) => {
      return (await this.#options.eviction.dropEvents(limit, this.#options.clock.now())) > 0;
    });
  }

  /**
   * Deletes single events from among others that stay. In this way observations go before any other event,
   * and an event that must be kept does not keep those after it.
   */
  #apart(what: 'observations' | 'all', signal: AbortSignal): Promise<void> {
    if (this.#options.clock.monotonic() - this.#searched[what].since > AGAIN_MS)
      this.#searched[what] = { position: 0, since: this.#options.clock.monotonic() };
    const reached = this.#searched[what];
    return this.#slices('events', signal, async (limit) => {
      const { ids, next } = await this.#options.eviction.dropApart({
        observationsOnly: what === 'observations',
        after: reached.position,
        limit,
        now: this.#options.clock.now(),
      });
      if (ids.length > 0)
        for (const hook of this.#options.retentionHooks) await hook.forget(ids, stampOf(this.#options.clock));
      reached.position = next ?? reached.position;
      return next !== null;
    });
  }

  async #guard(): Promise<void> {
    if (this.#options.eviction.state().guardSince !== null) return;
    await this.#options.eviction.change((state) => ({ ...state, guardSince: this.#options.clock.now() }));
    this.#options.log.error(
      'half of what was kept is deleted and the disk is still short; nothing more is deleted until a ' +
        'person confirms it',
    );
  }
}
