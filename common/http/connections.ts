// Who may have a connection, when there are more than there is room for: whoever has sent nothing yet, or is
// slow to, makes room for the next, so that nobody is kept out by connections that do nothing.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { counter, gauge, type Metric } from '../metrics.ts';

/** Connections by which a listener was asked for more than it has. */
export class ConnectionCounts {
  /** Now. */
  open = 0;
  /** Closed as they were made: of an address that has its share, or with nobody to make room. */
  refused = 0;
  /** Closed to make room for another. */
  evicted = 0;
}

export const connectionMetrics = (counts: ConnectionCounts): Metric[] => [
  gauge('fieldline_connections', 'Connections of callers that are open', () => counts.open),
  counter('fieldline_connections_closed_total', 'Connections closed for want of room, by why', () => [
    { labels: { why: 'refused' }, value: counts.refused },
    { labels: { why: 'evicted' }, value: counts.evicted },
  ]),
];

interface Connection {
  socket: Socket;
  address: string;
  /** The newest request by it, which may be over. */
  request: IncomingMessage | null;
  response: ServerResponse | null;
}

/** `arriving`: the body of its request has not come whole. Whoever is being answered never makes room. */
type State = 'silent' | 'idle' | 'arriving' | 'answering';
const GIVES_WAY: readonly State[] = ['silent', 'idle', 'arriving'];

/** Connections of one listener, those of an address in the order in which they were made. */
export class ConnectionRoom {
  readonly #most: number;
  readonly #ofAddress: number;
  readonly #counts: ConnectionCounts;
  readonly #bySocket = new WeakMap<object, Connection>();
  readonly #byAddress = new Map<string, Set<Connection>>();

  /** @param most at a time; one address has at most half of them */
  constructor(most: number, counts: ConnectionCounts) {
    this.#most = most;
    this.#ofAddress = Math.ceil(most / 2);
    this.#counts = counts;
  }

  /** Judges each connection of a server as it is made. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#take(socket));
    // With TLS requests come by another socket, over the one that was taken.
    server.on('secureConnection', (secure: TLSSocket) => {
      for (const one of this.#byAddress.get(secure.remoteAddress ?? '') ?? [])
        if (one.socket.remotePort === secure.remotePort) this.#bySocket.set(secure, one);
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#bySocket.get(request.socket);
      if (!connection) return;
      connection.request = request;
      connection.response = response;
    });
  }

  #take(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    const own = this.#byAddress.get(address) ?? new Set();
    if (own.size >= this.#ofAddress || (this.#counts.open >= this.#most && !this.#makeRoom())) {
      this.#counts.refused += 1;
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, address, request: null, response: null };
    own.add(connection);
    this.#byAddress.set(address, own);
    this.#bySocket.set(socket, connection);
    this.#counts.open += 1;
    socket.once('close', () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    const own = this.#byAddress.get(connection.address);
    if (!own?.delete(connection)) return;
    if (own.size === 0) this.#byAddress.delete(connection.address);
    this.#counts.open -= 1;
  }

  /** Closes one that does nothing. @returns false: there is none */
  #makeRoom(): boolean {
    const found = this.#useless();
    if (found === null) return false;
    this.#counts.evicted += 1;
    this.#forget(found);
    found.socket.destroy();
    return true;
  }

  /**
   * Of the address with the most connections, whatever these do: a flood is made of many. Whoever has one or
   * two is not cut off for it, also while he has not yet said what he wants.
   */
  #useless(): Connection | null {
    let [found, most]: [Connection | null, number] = [null, 0];
    for (const own of this.#byAddress.values()) {
      if (own.size <= most) continue;
      const first = firstToGo(own);
      if (first !== null) [found, most] = [first, own.size];
    }
    return found;
  }
}

/** The oldest of those that give way first; null: all are being answered. */
function firstToGo(connections: Iterable<Connection>): Connection | null {
  let [found, rank]: [Connection | null, number] = [null, GIVES_WAY.length];
  for (const connection of connections) {
    const at = GIVES_WAY.indexOf(stateOf(connection));
    if (at >= 0 && at < rank) [found, rank] = [connection, at];
    if (rank === 0) break;
  }
  return found;
}

function stateOf({ request, response }: Connection): State {
  if (request === null || response === null) return 'silent';
  if (response.writableFinished || response.destroyed) return 'idle';
  return request.complete ? 'answering' : 'arriving';
}
