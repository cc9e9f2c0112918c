import { eventKey, type EventPort } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { sealAccess } from '../../../common/core/evidence/access.ts';
import type { NewEvidenceJob } from '../../../common/core/evidence/port.ts';
import type { EvidenceMode } from '../../../common/core/evidence/schema.ts';
import { redactUrl } from '../../../common/http/outbound/redact-url.ts';
import type { SealedVault } from '../../../common/secret/secret.ts';
import { type EvidenceWant, type FileOfEvent, type StatesRequest } from '../../../common/uplink/evidence.ts';
import type { NamedFile, SiteWant, WantAnswer } from './port.ts';

const LOST = 'the picture came to the site with its message and was lost before it could be kept';
/** Why a site that sends no files refuses a want. */
const SENDS_NONE = 'this site sends no files to headquarters (CORE_UPLINK_EVIDENCE=none)';

export interface WantReading {
  events: Pick<EventPort, 'byKeys'>;
  mode: EvidenceMode;
  /** Seals what opens the address of an order. */
  vault: SealedVault;
  /** Whether a file is not here and can come no more. */
  lost: (event: EventRecord, name: string) => Promise<boolean>;
}

/** Wants with the events that they are about, and the jobs of those that go to a consumer's storage. */
export async function rowsOf(
  wants: readonly EvidenceWant[],
  { events, mode, vault, lost }: WantReading,
): Promise<{ want: SiteWant; job: NewEvidenceJob | null }[]> {
  const found = await events.byKeys(
    wants.map(({ tenant_code: tenantCode, event_key: idempotencyKey }) => ({ tenantCode, idempotencyKey })),
  );
  const refusalOf = async (event: EventRecord | null, name: string): Promise<string | null> => {
    if (mode === 'none') return SENDS_NONE;
    return event && (await lost(event, name)) ? LOST : null;
  };
  const rows: { want: SiteWant; job: NewEvidenceJob | null }[] = [];
  for (const want of wants) {
    const event = found.get(eventKey(want.tenant_code, want.event_key));
    const own = event?.instance === null ? event : null;
    const refusal = want.kind === 'keep' ? await refusalOf(own, want.name) : null;
    const row: SiteWant = {
      id: want.want_id,
      kind: want.kind,
      tenantCode: want.tenant_code,
      eventId: own?.id ?? 0,
      eventKey: want.event_key,
      name: want.name,
      offered: want.offered,
      askedAt: want.asked_at,
      state: refusal === null ? 'open' : 'failed',
      reason: refusal,
      at: null,
      told: null,
    };
    rows.push({ want: row, job: jobOf(want, row.eventId, vault) });
  }
  return rows;
}

function jobOf(want: EvidenceWant, eventId: number, vault: SealedVault): NewEvidenceJob | null {
  const { put } = want;
  if (want.kind !== 'put' || !put) return null;
  return {
    id: want.want_id,
    tenantCode: want.tenant_code,
    eventId,
    name: want.name,
    // A consumer of this name here is another one.
    consumer: `hq:${want.consumer ?? ''}`,
    putUrl: redactUrl(put.url),
    access: sealAccess(vault, { putUrl: put.url, headers: put.headers }),
    state: 'pending',
    lastError: null,
  };
}

/** What headquarters is to be told, as it goes up. */
export const wireReport = ({
  states,
  offers,
  gone,
}: {
  states: readonly WantAnswer[];
  offers: readonly NamedFile[];
  gone: readonly (NamedFile & { at: number })[];
}): Pick<StatesRequest, 'states' | 'offers' | 'gone'> => ({
  states: states.map(({ id, state, reason, at }) => ({ want_id: id, state, reason, at })),
  offers: offers.map(named),
  gone: gone.map((one) => ({ ...named(one), at: one.at })),
});

const named = ({ tenantCode, eventKey, name }: NamedFile): StatesRequest['offers'][number] => ({
  tenant_code: tenantCode,
  event_key: eventKey,
  name,
});

/** A file that headquarters names, as it is known here. */
export const namedHere = ({
  tenant_code: tenantCode,
  event_key: eventKey,
  name,
}: FileOfEvent): Omit<NamedFile, 'eventId'> => ({ tenantCode, eventKey, name });
