// Files that a site names in a state call, as they are known here.
import { announcedAs, type Announced } from '../../common/core/evidence/decide.ts';
import type { EvidencePort } from '../../common/core/evidence/port.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
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

/** Those that the site may speak of and that are not here, with what it said of each. */
export async function missingFiles<F extends StatesRequest['offers'][number]>(
  { events, evidence }: { events: EventPort; evidence: EvidencePort },
  { owned }: CallingSite,
  named: readonly F[],
): Promise<(MissingFile & { named: F })[]> {
  if (named.length === 0) return [];
  const found = await events.byKeys(
    named.map(({ tenant_code: tenantCode, event_key: idempotencyKey }) => ({ tenantCode, idempotencyKey })),
  );
  const missing: (MissingFile & { named: F })[] = [];
  for (const one of named) {
    const event = found.get(eventKey(one.tenant_code, one.event_key));
    const file = event && announcedAs(event, one.name);
    if (!event || !file || event.instance === null || !owned.has(event.instance)) continue;
    const here = await evidence.ofEvent(event.tenantCode, event.id);
    if (!here.some(({ name }) => name === one.name)) missing.push({ event, file, named: one });
  }
  return missing;
}
