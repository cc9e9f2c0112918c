// Devices that never come to an end, to be connected to and that post: what a hostile camera, or a broken
// one, makes a site hold.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

const PIECE = Buffer.alloc(60_000, 0x61);

type Ending = () => Promise<void>;

/** A device that is played, as it is registered. */
export interface Endless {
  kind: string;
  address: string;
  close: Ending;
}

/** What is written before the bytes without end, by the kind of device. */
const HEADS: Readonly<Record<string, string>> = {
  'hikvision xml': '--b\r\nContent-Type: application/xml\r\n\r\n<EventNotificationAlert>',
  'hikvision json': '--b\r\nContent-Type: application/json\r\n\r\n{"eventType":"',
  'hikvision jpeg': '--b\r\nContent-Type: image/jpeg\r\n\r\n\u00ff\u00d8\u00ff\u00e0',
  'hikvision line': '',
  dahua: '--b\r\nContent-Type: text/plain\r\n\r\nCode=VideoMotion;action=Start;index=0;data={"a":"',
  onvif: '<s:Envelope><s:Body>',
};

const TYPES: Readonly<Record<string, string>> = {
  hikvision: 'multipart/mixed; boundary=b',
  dahua: 'multipart/x-mixed-replace; boundary=b',
  onvif: 'application/soap+xml',
};

/** Whatever it is asked, it answers without end. @param of a key of HEADS @param host of its own */
export async function endlessAnswers(of: string, host = '127.0.0.1'): Promise<Endless> {
  const [kind = ''] = of.split(' ');
  const server = http.createServer((request, response) => {
    if (request.url?.includes('getSerialNo')) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[kind] });
    response.on('error', () => undefined);
    response.write(Buffer.from(HEADS[of] ?? '', 'latin1'));
    pourInto(response);
  });
  const port = await listening(server, host);
  return {
    kind,
    address: `http://${host}:${port}`,
    close: closing(server, () => server.closeAllConnections()),
  };
}

/** A broker that lets everybody in, and sends one message of 256 MB after the other. */
export async function endlessBroker(kind: 'axis' | 'frigate', host = '127.0.0.1'): Promise<Endless> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      const type = (bytes[0] as number) >> 4;
      if (type === 1) socket.write(Buffer.from([0x20, 2, 0, 0]));
      // SUBSCRIBE: granted, and then a message of the greatest length there is.
      if (type !== 8) return;
      socket.write(Buffer.from([0x90, 3, bytes[2] as number, bytes[3] as number, 1]));
      socket.write(Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f, 0, 6, ...Buffer.from('axis/a'), 0, 1]));
      pourInto(socket);
    });
  });
  const port = await listening(server, host);
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  return { kind, address: `mqtt://${host}:${port}`, close: closing(server, end) };
}

/** Posts to a path without end, again and again. @returns what ends it */
export function endlessPost(url: string, head: string, headers: Record<string, string> = {}): Ending {
  let over = false;
  const post = (): void => {
    if (over) return;
    const request = http.request(url, { method: 'POST', headers });
    request.on('response', (answer) => answer.resume());
    request.on('error', () => undefined);
    request.on('close', () => setTimeout(post, 20));
    request.write(head);
    pourInto(request);
    ending = (): void => void request.destroy();
  };
  let ending = (): void => undefined;
  post();
  return () => {
    over = true;
    ending();
    return Promise.resolve();
  };
}

function pourInto(target: NodeJS.WritableStream & { destroyed?: boolean }): void {
  const pour = (): void => {
    while (target.destroyed !== true) if (!target.write(PIECE)) return;
  };
  target.on('drain', pour);
  pour();
}

async function listening(server: http.Server | net.Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const closing = (server: http.Server | net.Server, end: () => void) => async (): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  end();
  await closed;
};
