import { counter, gauge, type Metric } from '../../common/metrics.ts';

const MIB = 1024 * 1024;

export interface RoomLimits {
  /** Bytes that each device may hold at any time: an alarm has a tenth. */
  small: number;
  /** Most bytes of one device: a message with its pictures, and the part that comes next. */
  ofOne: number;
  /** Devices that may hold more than `small` at a time; the others wait their turn. */
  largeAtOnce: number;
  /** After so long, ms, a turn ends for which others wait, whatever has come. */
  turnMs: number;
}

/** The unit ends the site at 300 MB; with its store at work it takes 120, and bodies of requests 20. */
export const DEVICE_ROOM: RoomLimits = {
  small: 64 * 1024,
  ofOne: 21 * MIB,
  largeAtOnce: 2,
  turnMs: 10_000,
};

/** A device sends more at once than is held of one. */
export class TooMuchHeld extends Error {}

interface QueuedMessage {
  room: Room;
  go: () => void;
}

/**
 * Bounds what all devices together make the site hold of streams and pictures that are not stored yet. Who
 * has no turn is not read from meanwhile, so that it waits at its end and nothing is lost; a turn ends by
 * itself, so that one who never comes to an end keeps the others waiting for a while at most.
 */
export class DeviceRooms {
  /** Bytes that are held. */
  held = 0;
  /** Turns that were ended because others waited. */
  cut = 0;
  /** Messages that were given up since one device sent more than is held. */
  refused = 0;
  readonly limits: RoomLimits;
  #turns = new Set<Room>();
  #waiting: QueuedMessage[] = [];

  constructor(limits: RoomLimits = DEVICE_ROOM) {
    this.limits = limits;
  }

  /** @param onCut told when its turn was ended: what it holds is to be dropped */
  open(onCut: () => void = () => undefined): Room {
    return new Room(this, onCut);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  has(room: Room): boolean {
    return this.#turns.has(room);
  }

  /** @throws the reason of `signal` */
  async turn(room: Room, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#turns.size < this.limits.largeAtOnce) return this.#grant(room);
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal?.reason as Error);
      };
      const go = (): void => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const waiting = { room, go };
      this.#waiting.push(waiting);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Gives the turn of a room to who waits longest. */
  pass(room: Room): void {
    if (!this.#turns.delete(room)) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#grant(next.room);
    next.go();
  }

  #grant(room: Room): void {
    this.#turns.add(room);
    room.begin();
  }
}

/** What one device, or one message that it posted, holds. */
export class Room {
  held = 0;
  #rooms: DeviceRooms;
  #onCut: () => void;
  #turning: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Messages that are being stored: that is not for the device to hurry. */
  #storing = 0;
  /** Bytes that belong to those. */
  #kept = 0;

  constructor(rooms: DeviceRooms, onCut: () => void) {
    this.#rooms = rooms;
    this.#onCut = onCut;
  }

  /** Counts bytes that have come. @throws TooMuchHeld */
  count(bytes: number): void {
    if (this.held + bytes > this.#rooms.limits.ofOne) {
      this.#rooms.refused += 1;
      throw new TooMuchHeld('more comes at once than is taken of one device');
    }
    this.#add(bytes);
  }

  /**
   * Counts bytes that have come. Returns when more may come.
   * @param kept they count until the message is stored @throws TooMuchHeld, the reason of `signal`
   */
  async take(bytes: number, signal?: AbortSignal, kept = false): Promise<void> {
    this.count(bytes);
    if (kept) this.#kept += bytes;
    if (this.held > this.#rooms.limits.small) await this.turn(signal);
  }

  /** Returns when it may hold more than is small. @throws the reason of `signal` */
  async turn(signal?: AbortSignal): Promise<void> {
    const over = (): void => void (this.#turning = null);
    while (!this.#rooms.has(this)) {
      signal?.throwIfAborted();
      this.#turning ??= this.#rooms.turn(this, signal).finally(over);
      await this.#turning.catch((error: unknown) => {
        // Whoever asked first may have given up, and others not.
        if (signal?.aborted) throw error;
      });
    }
  }

  give(bytes: number): void {
    this.#add(-Math.min(bytes, this.held));
    if (this.held <= this.#rooms.limits.small && this.#storing === 0) this.#pass();
  }

  /** While a message is stored its turn lasts. */
  async whileStored<T>(store: () => Promise<T>): Promise<T> {
    this.#storing += 1;
    try {
      return await store();
    } finally {
      this.#storing -= 1;
      if (this.#storing === 0) {
        this.give(this.#kept);
        this.#kept = 0;
      }
    }
  }

  /** Nothing is held any more. */
  close(): void {
    this.#add(-this.held);
    this.#pass();
  }

  /** Its turn begins. */
  begin(): void {
    this.#timer = setTimeout(() => this.#late(), this.#rooms.limits.turnMs);
    this.#timer.unref();
  }

  #late(): void {
    if (this.#rooms.waiting === 0 || this.#storing > 0) return this.begin();
    this.#rooms.cut += 1;
    this.#pass();
    this.#onCut();
  }

  #pass(): void {
    clearTimeout(this.#timer);
    this.#rooms.pass(this);
  }

  #add(bytes: number): void {
    this.held += bytes;
    this.#rooms.held += bytes;
  }
}

/** For `/metrics`. */
export const roomMetrics = (rooms: DeviceRooms): Metric[] => [
  gauge(
    'fieldline_device_held_bytes',
    'Bytes of streams and pictures of devices that are held until they are stored',
    () => rooms.held,
  ),
  gauge(
    'fieldline_device_waiting',
    'Devices that are not read from until another one has sent its large message',
    () => rooms.waiting,
  ),
  counter(
    'fieldline_device_cut_total',
    'Connections ended since a large message took too long while other devices waited',
    () => rooms.cut,
  ),
  counter(
    'fieldline_device_refused_bytes_total',
    'Messages and pictures given up since one device sent more than is held of one',
    () => rooms.refused,
  ),
];
