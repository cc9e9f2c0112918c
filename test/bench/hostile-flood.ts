// Connections, half-sent headers and bodies that are sent up to their last byte and held there.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningKey } from '../../common/http/signing/signature.ts';

const MIB = 1024 * 1024;
/** Shorter than what the programs give a request. */
const HOLD_MS = 6_000;

function open(port: number, bytes: Buffer | string): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

function body(target: string, size: number, headers: string): Buffer {
  return Buffer.concat([
    Buffer.from(
      `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ` +
        `${size}\r\n${headers}\r\n`,
    ),
    Buffer.alloc(size - 1, 0x20),
  ]);
}

/**
 * 2,000 idle connections, 500 half headers, 60 bodies of 7 MiB under a known key id, 200 logins of 0.9 MiB;
 * none of them to its end.
 */
export async function holdOpen(port: number, { keyId }: SigningKey): Promise<void> {
  const claim =
    `x-core-key: ${keyId}\r\nx-core-timestamp: ${Math.floor(Date.now() / 1000)}\r\nx-core-signature: ` +
    `v1=${'0'.repeat(64)}\r\n`;
  const event = body('/api/core/events', 7 * MIB, claim);
  const login = body('/api/core/session/login', 900 * 1024, '');
  const small = body('/api/core/session/login', 16 * 1024, '');
  const sockets: net.Socket[] = [];
  const many = (count: number, bytes: Buffer | string): void => {
    for (let index = 0; index < count; index += 1) sockets.push(open(port, bytes));
  };
  many(60, event);
  many(200, login);
  many(200, small);
  await sleep(HOLD_MS / 2);
  many(500, `POST /api/core/events HTTP/1.1\r\nhost: x\r\nx-pad: ${'x'.repeat(15_000)}`);
  many(2_000, '');
  await sleep(HOLD_MS / 2);
  for (const socket of sockets) socket.destroy();
}
