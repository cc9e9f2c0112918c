import type { Device } from './record.ts';

/** The devices of this site, as the store had them when they were last read; none before that. */
export class KnownDevices {
  #byKey = new Map<string, Device>();
  #byToken = new Map<string, Device>();

  replace(all: readonly Device[]): void {
    this.#byKey = new Map(all.map((device) => [device.keyId, device]));
    this.#byToken = new Map(all.map((device) => [device.tokenHash, device]));
  }

  list(): Device[] {
    return [...this.#byKey.values()];
  }

  get(keyId: string): Device | undefined {
    return this.#byKey.get(keyId);
  }

  /** The one that posts under a token. @param tokenHash SHA-256 in hexadecimal */
  ofToken(tokenHash: string): Device | undefined {
    return this.#byToken.get(tokenHash);
  }
}
