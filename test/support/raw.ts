// Bytes on a socket, for requests that no HTTP client would send.
import http from 'node:http';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Answer, RequestOptions } from './request.ts';

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

/** Like `request`, with the headers as they are: undici announces no other length than it sends. */
export function requestAsIs({ url, method, path, headers, body = '' }: RequestOptions): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ hostname, port, path, method, agent: false, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      const whole = (text: Buffer): Answer => ({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: text.toString('utf8'),
      });
      buffer(answer).then(whole).then(resolve, reject);
    });
    outgoing.end(body);
  });
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n').replace(/^[0-9a-f]+\r\n|\r\n0\r\n$/g, '');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    body: body === '' ? null : (JSON.parse(body) as RawAnswer['body']),
  };
}
