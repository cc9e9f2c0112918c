// What has been heard of each device since the process started; of a camera that signs, what was refused.
import type { DeviceTime } from '../record.ts';
import type { refusalReasons } from '../schema.ts';

/** Types that no table had, of one device, by name; beyond these they are counted together. */
const MAX_TYPES = 50;

export type RefusalReason = (typeof refusalReasons)[number];

/** Counts, and when the device was heard, epoch ms. */
export class DeviceState {
  heardAt: number | null = null;
  messages = 0;
  heartbeats = 0;
  stored = 0;
  /** Reports of alarms that stood already, and events that were known. */
  repeated = 0;
  /** Ends of alarms, also of such as did not stand. */
  ended = 0;
  /** Events of alarms that may have stood already. */
  doubtful = 0;
  unreadable = 0;
  /** Pictures that could not be kept. */
  picturesLost = 0;
  /** By the device's own word. */
  readonly unknownTypes = new Map<string, number>();
  refusal: { reason: RefusalReason; detail: string; at: number; count: number } | null = null;
  /** What was refused since a message was taken, whatever for; `since`: the first. */
  refused: { count: number; since: number } | null = null;
  /** How far the device's clock is off, ms; 0: not beyond what is allowed. */
  clockOffMs = 0;
  lastTime: DeviceTime | null = null;

  countUnknown(type: string): void {
    const name = this.unknownTypes.has(type) || this.unknownTypes.size < MAX_TYPES ? type : 'others';
    this.unknownTypes.set(name, (this.unknownTypes.get(name) ?? 0) + 1);
  }

  refuse(reason: RefusalReason, detail: string, at: number): void {
    const count = this.refusal?.reason === reason ? this.refusal.count + 1 : 1;
    this.refusal = { reason, detail: detail.slice(0, 300), at, count };
    this.refused = { count: (this.refused?.count ?? 0) + 1, since: this.refused?.since ?? at };
  }

  /** A message was taken. @param alarm whether it told more than that the device is there */
  take(alarm: boolean): void {
    const inMessage = this.refusal?.reason === 'unreadable' || this.refusal?.reason === 'too_large';
    if (alarm || !inMessage) this.refused = null;
  }
}

/** The states of all devices. */
export class DeviceStates {
  #states = new Map<string, DeviceState>();

  of(keyId: string): DeviceState {
    let state = this.#states.get(keyId);
    if (!state) this.#states.set(keyId, (state = new DeviceState()));
    return state;
  }

  heardAt(keyId: string): number | null {
    return this.#states.get(keyId)?.heardAt ?? null;
  }

  forget(keyId: string): void {
    this.#states.delete(keyId);
  }

  total(read: (state: DeviceState) => number): number {
    return [...this.#states.values()].reduce((sum, state) => sum + read(state), 0);
  }
}
