// Bytes on a socket, for requests that no HTTP client would send.
import net from 'node:net';

export interface RawAnswer {
  status: number;
  /** Parsed body; null when there was none. */
  body: { error?: string; message?: string; requestId?: string } | null;
}

/** Sends `bytes`, ends its side when told to, and reads until the server closes. */
export function rawExchange(url: string, bytes: string, end: boolean): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const parts: Buffer[] = [];
    socket.on('error', reject);
    socket.on('data', (part) => parts.push(part));
    socket.on('end', () => {
      socket.destroy();
      resolve(parse(Buffer.concat(parts).toString('utf8')));
    });
    socket.write(bytes);
    if (end) socket.end();
  });
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n').replace(/^[0-9a-f]+\r\n|\r\n0\r\n$/g, '');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), body: body === '' ? null : (JSON.parse(body) as RawAnswer['body']) };
}
