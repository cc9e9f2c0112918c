import type { Clock } from '../../../common/clock.ts';
import type { DevicePort } from '../port.ts';
import type { Episode, Occurrence } from '../record.ts';
import { closed, type Present, repeated } from './decide.ts';
import type { StoreEvent } from './report.ts';
import { idOf, NOTED_EVERY_MS, type OpenEpisode } from './standing.ts';

export interface KeepingOptions {
  devices: DevicePort;
  clock: Clock;
  storeEvent: StoreEvent;
}

/** The alarms that stand, as they are in memory, and how what changes of them comes into the store. */
export class Keeping {
  readonly #options: KeepingOptions;
  /** By device and alarm. */
  readonly standing = new Map<string, OpenEpisode>();

  constructor(options: KeepingOptions) {
    this.#options = options;
  }

  /** Writes what is over. An alarm that has begun anew meanwhile is left as it is, here and in the store. */
  async putAway(over: readonly [string, OpenEpisode][]): Promise<void> {
    const still = over.filter(([id, standing]) => this.standing.get(id) === standing);
    if (still.length === 0) return;
    await this.#options.devices.save(still.map(([, { episode }]) => episode));
    for (const [id, standing] of still) this.drop(id, standing);
  }

  /** Forgets an alarm, unless it has begun anew. */
  drop(id: string, standing: OpenEpisode): void {
    if (this.standing.get(id) === standing) this.standing.delete(id);
  }

  /** Takes out an alarm that did not begin after all, and puts back what stood in its place. */
  putBack(standing: OpenEpisode, last: OpenEpisode | undefined): void {
    const id = idOf(standing.episode);
    this.drop(id, standing);
    if (last && !this.standing.has(id)) this.standing.set(id, last);
  }

  /** Waits for the event of an episode, or tries to store it again. */
  async settle(standing: OpenEpisode): Promise<void> {
    if (standing.storing) return standing.storing;
    if (standing.episode.pending === null) return;
    standing.storing = this.store(standing).finally(() => (standing.storing = null));
    await standing.storing;
  }

  /** Stores the event of an episode. */
  async store(standing: OpenEpisode): Promise<void> {
    const { pending, keyId } = standing.episode;
    if (pending === null) return;
    const eventId = await this.#options.storeEvent(pending, keyId);
    standing.episode = { ...standing.episode, pending: null, eventId };
    await this.#options.devices.save([standing.episode]);
  }

  /** Takes in a further report. */
  note(standing: OpenEpisode, { time }: Pick<Occurrence, 'time'>): void {
    standing.episode = repeated(standing.episode, time, this.#options.clock.now());
    standing.heardAt = this.#options.clock.monotonic();
  }

  /** Notes in the store, now and then, when an alarm was heard. */
  async keepNoted(standing: OpenEpisode): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (now - standing.notedAt < NOTED_EVERY_MS || !this.#stands(standing)) return;
    standing.notedAt = now;
    await this.#options.devices.save([standing.episode]);
  }

  /** Ends an alarm, as the device says. */
  async close(standing: OpenEpisode): Promise<void> {
    if (!this.#stands(standing)) return;
    standing.episode = closed(standing.episode, 'device', this.#options.clock.now());
    await this.#options.devices.save([standing.episode]);
    this.drop(idOf(standing.episode), standing);
  }

  /** false: while this was waited for, the alarm has begun anew, and its row in the store is that one's. */
  #stands = (standing: OpenEpisode): boolean => this.standing.get(idOf(standing.episode)) === standing;

  /** An alarm that was heard now. */
  heard(episode: Episode): OpenEpisode {
    const now = this.#options.clock.monotonic();
    return { episode, heardAt: now, notedAt: now, storing: null };
  }

  /** How an alarm stands now. */
  present = ({ episode, heardAt }: OpenEpisode): Present => ({
    episode,
    quietMs: this.#options.clock.monotonic() - heardAt,
  });
}
