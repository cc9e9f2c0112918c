import type { LinkFault } from '../../site-messages.ts';

/** What headquarters has no room for is tried again after this, ms, unless it names another time. */
const REST_MS = 60_000;

/** A preview may fit where a file does not. */
export type Sized = 'preview' | 'file';

interface Full {
  what: Sized;
  tenant: string;
  /** Monotonic ms. */
  until: number;
  fault: LinkFault;
}

/** The tenants whose evidence headquarters has no room for, as it answered last. */
export class FullRooms {
  #full: Full[] = [];
  #tell: (tenants: readonly string[], fault: LinkFault | null) => Promise<void>;

  /** @param tell what is full now, whenever that is known anew; null: nothing is */
  constructor(tell: (tenants: readonly string[], fault: LinkFault | null) => Promise<void>) {
    this.#tell = tell;
  }

  /** Those of which nothing of the kind is to be tried yet. @param now monotonic ms */
  resting(what: Sized, now: number): string[] {
    return this.#full.filter((one) => one.what === what && one.until > now).map(({ tenant }) => tenant);
  }

  refused(what: Sized, tenant: string, fault: LinkFault, { now, retryAfterMs }: Retry): Promise<void> {
    const rest = this.#without(what, tenant);
    return this.#are([...rest, { what, tenant, fault, until: now + (retryAfterMs || REST_MS) }]);
  }

  /** Bytes of it were taken. */
  taken(what: Sized, tenant: string): Promise<void> {
    return this.#are(this.#without(what, tenant));
  }

  /** Nothing waits but what is not to be tried yet. */
  idle(now: number): Promise<void> {
    return this.#are(this.#full.filter(({ until }) => until > now));
  }

  #without(what: Sized, tenant: string): Full[] {
    return this.#full.filter((one) => one.what !== what || one.tenant !== tenant);
  }

  #are(full: Full[]): Promise<void> {
    this.#full = full;
    return this.#tell([...new Set(full.map(({ tenant }) => tenant))], full[0]?.fault ?? null);
  }
}

interface Retry {
  /** Monotonic ms. */
  now: number;
  /** What headquarters asks for; 0: nothing. */
  retryAfterMs: number;
}
