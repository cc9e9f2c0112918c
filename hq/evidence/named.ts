// Files that a site names in a state call, as they are known here.
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { type Announced, announcedAs } from '../../common/core/evidence/decide.ts';
import type { EvidencePort } from '../../common/core/evidence/port.ts';
import type { StatesRequest } from '../../common/uplink/evidence.ts';

/** Who speaks in a state call. */
export interface CallingSite {
  instance: string;
  /** Its own name and those that it continues. */
  owned: ReadonlySet<string>;
}

/** A file of an event of a site. */
export interface MissingFile {
  event: EventRecord;
  file: Announced;
}

/** A file that a site named and may speak of, with what it said of it. */
export type NamedBySite<F> = MissingFile & { named: F };

/** Those that the site may speak of: which are here, and which are not. */
export async function namedFiles<F extends StatesRequest['offers'][number]>(
  { events, evidence }: { events: EventPort; evidence: EvidencePort },
  { owned }: CallingSite,
  named: readonly F[],
): Promise<{ here: NamedBySite<F>[]; missing: NamedBySite<F>[] }> {
  const [here, missing]: [NamedBySite<F>[], NamedBySite<F>[]] = [[], []];
  if (named.length === 0) return { here, missing };
  const found = await events.byKeys(
    named.map(({ tenant_code: tenantCode, event_key: idempotencyKey }) => ({ tenantCode, idempotencyKey })),
  );
  for (const one of named) {
    const event = found.get(eventKey(one.tenant_code, one.event_key));
    const file = event && announcedAs(event, one.name);
    if (!event || !file || event.instance === null || !owned.has(event.instance)) continue;
    const stored = await evidence.ofEvent(event.tenantCode, event.id);
    const among = stored.some(({ name }) => name === one.name) ? here : missing;
    among.push({ event, file, named: one });
  }
  return { here, missing };
}
