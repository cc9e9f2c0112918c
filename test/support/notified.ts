// A service manager as far as programs tell it that they are ready and alive.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Scene } from './process.ts';
import { until } from './request.ts';

/** Reads what is told, as Node cannot: by datagrams. */
const LISTEN = `
import socket, sys
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind(sys.argv[1])
print('LISTENING', flush=True)
while True:
    print(' '.join(told.recv(4096).decode().split('\\n')), flush=True)
`;

/** Hears what a unit with `Type=notify` tells; NOTIFY_SOCKET is `socket`. */
export class Notified {
  readonly socket: string;
  readonly told: string[] = [];
  fedAt = 0;

  constructor(scene: Scene, name: string) {
    this.socket = path.join(scene.dir, `${name}.notify`);
    const listener = spawn('python3', ['-c', LISTEN, this.socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    scene.onClose(() => listener.kill('SIGKILL'));
    createInterface({ input: listener.stdout }).on('line', (line) => {
      this.told.push(line);
      if (line.includes('WATCHDOG=1')) this.fedAt = performance.now();
    });
  }

  hears(word: string): Promise<unknown> {
    return until(`it hears ${word}`, () => Promise.resolve(this.told.some((line) => line.includes(word))));
  }
}
