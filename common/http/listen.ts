import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { awaitArrival, LONGEST_MS } from './body/arrival.ts';
import { isAnswered, LINGER_MS } from './body/linger.ts';
import { ConnectionCounts, ConnectionRoom } from './connections.ts';
import { nextRequestId } from './middleware/request-id.ts';
import { PLAIN_HEADERS } from './middleware/security-headers.ts';

/** Listeners whose file permissions are the authentication. */
const localServers = new WeakSet<object>();

/** Whether a request came in by a Unix socket. */
export function isLocal(request: http.IncomingMessage): boolean {
  const { server } = request.socket as { server?: object };
  return server !== undefined && localServers.has(server);
}

export interface Listening {
  port: number;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** `host:port`, or a path of a Unix socket. */
  at: { host: string; port: number } | { socket: string };
  tls?: { cert: Buffer; key: Buffer };
  /** Longest that a whole request may take to arrive, ms, but a large file; 30 s unless given. */
  requestMs?: number;
  /** Connections at a time; one address has at most half of them. 512 unless given. */
  connections?: number;
  counts?: ConnectionCounts;
}

const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
const LOOK_MS = 2_000;
/**
 * Whoever neither takes what he is sent nor sends anything for so long is cut off; no answer takes as long.
 */
const SILENT_MS = 120_000;
const CONNECTIONS = 512;
/** Beside them those that are on their way out: a queue of the system's is taken before they are gone. */
const LEAVING = 1_024;

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program listens there already',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not',
};

/** As Node has it of its own limits. */
class TooSlow extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** The address cannot be had; the message says why. */
class CannotListen extends Error {
  readonly forPeople = true;

  constructor(at: ListenOptions['at'], cause: Error & { code?: string }) {
    const [where, name] =
      'socket' in at ? [at.socket, 'CORE_ADMIN_SOCKET'] : [`${at.host}:${at.port}`, 'CORE_LISTEN'];
    super(
      `Cannot listen at ${where}: ${REASONS[cause.code ?? ''] ?? cause.message}. Set ${name} to ` +
        'another address, or end what is there.',
      { cause },
    );
  }
}

/**
 * Opens a listener. Slow senders are cut off: 10 s for the headers, 30 s for the whole request, unless it
 * is a large file of a known caller, and keeps coming (`awaitWhileItComes`). Where all connections are taken,
 * one that does nothing makes room for the next. `close` lets running requests end and drops idle ones.
 * @throws CannotListen
 */
export async function listen(handle: http.RequestListener, options: ListenOptions): Promise<Listening> {
  const { requestMs = REQUEST_MS, connections = CONNECTIONS } = options;
  const limits = {
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    requestTimeout: LONGEST_MS,
    connectionsCheckingInterval: Math.min(LOOK_MS, requestMs),
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16 * 1024,
  };
  const server = options.tls
    ? https.createServer({ ...limits, ...options.tls, handshakeTimeout: HEADERS_MS }, handle)
    : http.createServer(limits, handle);
  const lingerMs = Math.min(LINGER_MS, requestMs);
  server.on('clientError', (error, socket) => refuseBroken(error, socket, lingerMs));
  server.prependListener('request', (request: http.IncomingMessage) =>
    awaitArrival(request, requestMs, () => refuseBroken(new TooSlow(), request.socket, lingerMs)),
  );
  server.setTimeout(SILENT_MS);
  const counts = options.counts ?? new ConnectionCounts();
  server.maxConnections = connections + LEAVING;
  server.on('drop', () => (counts.refused += 1));
  if ('socket' in options.at) localServers.add(server);
  else new ConnectionRoom(connections, counts).watch(server);
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error): void => reject(new CannotListen(options.at, error));
    server.once('error', failed);
    const ready = (): void => {
      server.removeListener('error', failed);
      resolve();
    };
    if ('socket' in options.at) server.listen(options.at.socket, ready);
    else server.listen(options.at.port, options.at.host, ready);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => closeServer(server),
  };
}

/** Running requests have this long to end once the listener closes, ms. */
const CLOSE_GRACE_MS = 3_000;
const CLOSE_LOOK_MS = 25;

/**
 * A connection that was busy turns idle after its answer and would otherwise be kept alive: it is looked for
 * again and again.
 */
async function closeServer(server: http.Server | https.Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_LOOK_MS);
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeIdleConnections();
    });
  } finally {
    clearInterval(sweep);
    clearTimeout(force);
  }
}

/** @param lingerMs for so long what comes further is dropped, so that a caller who still sends is told why */
function refuseBroken(error: Error & { code?: string }, socket: Duplex, lingerMs: number): void {
  if (isAnswered(socket)) socket.destroy();
  if (!socket.writable) return;
  const [status, code, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive whole.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are larger than 16 KiB.']
        : ['400 Bad Request', 'malformed_request', 'This is not a valid HTTP request.'];
  const requestId = nextRequestId();
  const body = JSON.stringify({ error: code, message, requestId });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    ...PLAIN_HEADERS,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 ${status}\r\n${lines}\r\n${body}`);
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(late));
}
