import { eventKey, type EventPort } from '../../../common/core/event/port.ts';
import { type EventRecord, readDoc } from '../../../common/core/event/record.ts';
import { announcedAs } from '../../../common/core/evidence/decide.ts';
import type { EvidenceService } from '../../../common/core/evidence/service.ts';
import { AppError } from '../../../common/http/error.ts';
import type { Logger } from '../../../common/log.ts';
import { actorOf } from '../device/actor.ts';
import type { DeviceStates } from '../device/state.ts';
import type { Device, Picture } from '../record.ts';
import type { HeldFile, HeldPictures } from './held.ts';

export interface PictureKeeperOptions {
  evidence: Pick<EvidenceService, 'upload'>;
  events: Pick<EventPort, 'byKeys'>;
  held: HeldPictures;
  states: DeviceStates;
  deviceOf: (keyId: string) => Device | undefined;
  log: Logger;
}

/** Keeps pictures of devices as evidence of their events. One that cannot be kept is counted. */
export class PictureKeeper {
  readonly #options: PictureKeeperOptions;
  /** Files that had no event when they were looked at last. */
  #waiting = new Set<string>();

  constructor(options: PictureKeeperOptions) {
    this.#options = options;
  }

  async keep(device: Device, eventId: number, pictures: readonly Picture[]): Promise<void> {
    for (const { name, bytes } of pictures) {
      try {
        await this.#options.evidence.upload({
          eventId,
          name,
          body: {
            claimedTenant: device.tenantCode,
            read: async function* () {
              yield bytes;
            },
            prove: () => actorOf(device),
          },
          actorText: () => actorOf(device).name,
        });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.#lost(device.keyId, eventId, error.code);
      }
    }
  }

  /** As `keep`, for pictures of an event that is stored: whatever befalls them, the alarm counts. */
  async keepAtOnce(device: Device, eventId: number, pictures: readonly Picture[]): Promise<void> {
    for (const picture of pictures)
      await this.keep(device, eventId, [picture]).catch((error: unknown) => {
        this.#options.log.error({ err: error, device: device.keyId }, 'a picture could not be kept');
        this.#lost(device.keyId, eventId, 'failed');
      });
  }

  /**
   * Keeps what waited for its event, or was left by a process that was ended between the event and its
   * pictures.
   * @param settled whether every event that was to be stored is: pictures without one are then dropped,
   *   since their device was not told that it was heard
   */
  async takeUp(settled: boolean): Promise<void> {
    const { held } = this.#options;
    const [before, failed] = [this.#waiting, [] as unknown[]];
    this.#waiting = new Set();
    for await (const file of held.left()) {
      // One that was left after the events were settled may still get its own.
      const over = settled && before.has(file.file);
      try {
        if (await this.#takeUpOne(file, over)) await held.release(file, file.file);
        else this.#waiting.add(file.file);
      } catch (error) {
        // One that cannot be kept now keeps no other from its event.
        failed.push(error);
      }
    }
    if (failed.length > 0) throw new AggregateError(failed, 'pictures of a device could not be kept yet');
  }

  /** @returns whether nothing is to come of it any more */
  async #takeUpOne(file: HeldFile, over: boolean): Promise<boolean> {
    const { tenantCode, eventKey: idempotencyKey } = file;
    const device = this.#options.deviceOf(file.keyId);
    if (!device) return true;
    const found = await this.#options.events.byKeys([{ tenantCode, idempotencyKey }]);
    const event = found.get(eventKey(tenantCode, idempotencyKey));
    if (event) await this.#keepHeld(device, event, file);
    return event !== undefined || over;
  }

  async #keepHeld(device: Device, event: EventRecord, { pictures, cut }: HeldFile): Promise<void> {
    const announced = pictures.filter(({ name }) => announcedAs(event, name) !== null);
    await this.keep(device, event.id, announced);
    for (let n = 0; n < cut; n += 1) this.#lost(device.keyId, event.id, 'cut');
  }

  #lost(keyId: string, eventId: number, reason: string): void {
    this.#options.states.of(keyId).picturesLost += 1;
    this.#options.log.warn({ device: keyId, eventId, reason }, 'a picture was not kept');
  }
}

/**
 * Whether a file that an event announced, and that is not arriving, can come no more: the pictures of a
 * device come with its message.
 */
export type NeverComes = (event: EventRecord, name: string) => boolean;

export const pictureNeverComes =
  ({ held, deviceOf }: Pick<PictureKeeperOptions, 'held' | 'deviceOf'>): NeverComes =>
  (event, name) => {
    const { nodeKey, tenantCode, idempotencyKey } = event;
    if (nodeKey === null || deviceOf(nodeKey) === undefined) return false;
    const named = readDoc(event).evidence?.some((file) => file.name === name) ?? false;
    return named && !held.holds({ tenantCode, eventKey: idempotencyKey });
  };
