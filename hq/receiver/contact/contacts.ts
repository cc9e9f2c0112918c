import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import type { Contact, ContactPort } from './port.ts';

/** A hub process that dies loses contacts of so long, ms; it is a fraction of what makes a site late. */
const WRITE_EVERY_MS = 5_000;

/**
 * Keeps when the sites last called, and writes it for all of them in one statement. What is new of a site,
 * its version or what it understands, is written before the site is answered.
 */
export class Contacts {
  readonly loop: Loop;
  #sites: ContactPort;
  #clock: Clock;
  #waiting = new Map<string, Contact>();
  #onCall: (instance: string) => void = () => undefined;
  /** What was last written of a site beside the time. */
  #known = new Map<string, string>();

  constructor({ sites, clock, log }: { sites: ContactPort; clock: Clock; log: Logger }) {
    this.#sites = sites;
    this.#clock = clock;
    this.loop = new Loop({
      name: 'contacts of sites',
      interval: WRITE_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.write(),
    });
  }

  /** @param called told of each call of a site */
  onCall(called: (instance: string) => void): void {
    this.#onCall = called;
  }

  async note({
    instance,
    version,
    features = [],
  }: Omit<Contact, 'at' | 'features'> & Features): Promise<void> {
    this.#waiting.set(instance, { instance, version, features, at: this.#clock.now() });
    this.#onCall(instance);
    const said = JSON.stringify([version, features]);
    if (this.#known.get(instance) === said) return;
    await this.write();
    this.#known.set(instance, said);
  }

  /** Writes what waits; contacts that could not be written wait on, unless the site has called again. */
  async write(): Promise<void> {
    const contacts = [...this.#waiting.values()];
    if (contacts.length === 0) return;
    this.#waiting.clear();
    try {
      await this.#sites.noteContacts(contacts);
    } catch (error) {
      for (const contact of contacts)
        if (!this.#waiting.has(contact.instance)) this.#waiting.set(contact.instance, contact);
      throw error;
    }
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.write();
  }
}

interface Features {
  features?: readonly string[] | undefined;
}
