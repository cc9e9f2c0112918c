import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where the demonstration keeps its state, and the keys of its earlier runs. */
export class DemoState {
  readonly hub: string;
  readonly site: string;
  readonly logs: string;
  #keysFile: string;

  constructor(stateDir: string) {
    this.hub = join(stateDir, 'hq');
    this.site = join(stateDir, 'site');
    this.logs = join(stateDir, 'logs');
    this.#keysFile = join(stateDir, 'demo-keys.json');
    for (const folder of [stateDir, this.logs]) mkdirSync(folder, { recursive: true });
  }

  adminKey(of: 'hub' | 'site'): string {
    return readFileSync(this.adminKeyFile(of), 'utf8').trim();
  }

  adminKeyFile(of: 'hub' | 'site'): string {
    return join(of === 'hub' ? this.hub : this.site, 'secrets', 'admin-key');
  }

  logFile(name: string): string {
    return join(this.logs, `${name}.log`);
  }

  get uplinkKeyFile(): string {
    return join(this.site, 'uplink-key');
  }

  keys(): Record<string, { keyId: string; secret: string }> {
    return existsSync(this.#keysFile)
      ? (JSON.parse(readFileSync(this.#keysFile, 'utf8')) as Record<
          string,
          { keyId: string; secret: string }
        >)
      : {};
  }

  keepKey(name: string, key: { keyId: string; secret: string }): void {
    this.#write(
      this.#keysFile,
      `${JSON.stringify({ ...this.keys(), [name]: { keyId: key.keyId, secret: key.secret } }, null, 2)}\n`,
    );
  }

  /**
   * The port on which a camera heard its verdicts before, so that those on its earlier events still reach it.
   */
  async feedbackPort(name: string): Promise<number> {
    const file = join(this.logs, '..', 'demo-ports.json');
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>) : {};
    const port = await freePort(known[name] ?? 0);
    writeFileSync(file, `${JSON.stringify({ ...known, [name]: port })}\n`);
    return port;
  }

  hasUplinkKey(keyId: string): boolean {
    return existsSync(this.uplinkKeyFile) && readFileSync(this.uplinkKeyFile, 'utf8').startsWith(`${keyId}:`);
  }

  keepUplinkKey(key: { keyId: string; secret: string }): void {
    mkdirSync(this.site, { recursive: true });
    this.#write(this.uplinkKeyFile, `${key.keyId}:${key.secret}\n`);
  }

  /** The file with the secret of the business system's key, made at the first start. */
  businessKeyFile(): string {
    const path = join(this.logs, '..', 'business-key');
    if (!existsSync(path)) this.#write(path, `${randomBytes(32).toString('base64url')}\n`);
    return path;
  }

  /** Of a user of the console, made at the first start. */
  password(user: string): string {
    const path = join(this.logs, '..', `password-${user}`);
    if (!existsSync(path)) this.#write(path, `${randomBytes(12).toString('base64url')}\n`);
    return readFileSync(path, 'utf8').trim();
  }

  get businessStateFile(): string {
    return join(this.logs, '..', 'business.json');
  }

  #write(path: string, text: string): void {
    writeFileSync(path, text, { mode: 0o600 });
    chmodSync(path, 0o600);
  }
}

// Below the ports that Linux gives to whoever names none (ip_local_port_range, from 32768), and below those
// that the tests give to their programs: nobody is given one of these before its program listens.
const [LOWEST_PORT, ABOVE_PORTS, TRIES] = [12_000, 20_000, 50];

/** Given to a program that may not listen yet: a second one with the same port would end at its start. */
const given = new Set<number>();

/**
 * The wanted port when it is free on every address, otherwise any free one; none is given twice.
 *
 * @param wanted 0 for any
 */
export async function freePort(wanted: number): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const asked = tried === 0 && wanted > 0 ? wanted : randomInt(LOWEST_PORT, ABOVE_PORTS);
    const port = given.has(asked) ? null : await tryPort(asked);
    if (port !== null) {
      given.add(port);
      return port;
    }
  }
  return (await tryPort(0)) ?? wanted;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '0.0.0.0', () => {
      const address = server.address();
      const got = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(got));
    });
  });
}
