import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Device, FetchPictures, Part } from '../record.ts';
import type { ConnectionMessage } from './fault.ts';

/** How devices of one kind are connected to. */
export interface Connector {
  /** Nothing came for so long, ms: the connection is taken for dead. The device's settings go first. */
  quietMs: number;
  /**
   * Connects, and hands over what comes. Returns when the device ended the connection; soon after `signal`
   * is aborted it has ended in whichever way. @throws ConnectionFault, or the system's error
   */
  connect(session: Session): Promise<void>;
}

export interface Message {
  contentType?: string | undefined;
  headers?: IncomingHttpHeaders;
  parts: readonly Part[];
  bytes: number;
}

export interface Endpoint {
  host: string;
  port: number;
  secure: boolean;
  /** For the connection and the handshake; ten seconds unless given. */
  timeoutMs?: number;
}

export interface Holding {
  /** Gives up waiting; the connection's own unless given. */
  signal?: AbortSignal;
  /** They belong to the message that is being stored, and count until that is. */
  kept?: boolean;
}

/** One connection to a device, as its source sees it. */
export interface Session {
  readonly device: Device;
  /** In clear; null where the device has none. */
  readonly password: string | null;
  /** Aborted when the device was changed or removed, fell silent, or the site stops. */
  readonly signal: AbortSignal;
  /** Epoch ms. */
  now(): number;
  /** The device let us in: what it has to say comes now. */
  connected(): void;
  /** Anything came. */
  alive(): void;
  /**
   * Returns when every alarm of the message is on the disk, and tries again until then; what cannot be read
   * is counted. @throws the reason of `signal`, and nothing else
   */
  take(message: Message, fetch?: FetchPictures): Promise<void>;
  /**
   * Counts bytes that have come, and returns when more may come.
   * @throws TooMuchHeld, the reason of the signal
   */
  hold(bytes: number, how?: Holding): Promise<void>;
  /** Bytes that were counted are held no more. */
  free(bytes: number): void;
  /** The connection stands, and what is at its other end is away; null: it is back. */
  away(fault: ConnectionMessage | null): void;
  /** A picture came that cannot be put to an event; it is counted. */
  pictureLost(): void;
  /** A connection under the rules of addresses, its certificate verified as the device's settings say. */
  socket(place: Endpoint): Promise<Socket>;
}
