import { sealAccess } from '../../../common/core/evidence/access.ts';
import { eventKey, type EventPort } from '../../../common/core/event/port.ts';
import type { NewEvidenceJob } from '../../../common/core/evidence/port.ts';
import { redactUrl } from '../../../common/http/outbound/redact-url.ts';
import type { SealedVault } from '../../../common/secret/secret.ts';
import type { EvidenceMode } from '../../../common/core/evidence/schema.ts';
import { evidenceWant, type EvidenceWant, type StatesRequest } from '../../../common/uplink/evidence.ts';
import type { NamedFile, SiteWant, Told } from './port.ts';

/** Why a site that sends no files refuses a want. */
const SENDS_NONE = 'this site sends no files to headquarters (CORE_UPLINK_EVIDENCE=none)';

export interface WantReading {
  events: Pick<EventPort, 'byKeys'>;
  mode: EvidenceMode;
  /** Seals what opens the address of an order. */
  vault: SealedVault;
}

/** Wants as they came, those that are understood. */
export function readWants(values: readonly unknown[]): EvidenceWant[] {
  return values.flatMap((value) => evidenceWant.safeParse(value).data ?? []);
}

/** Wants with the events that they are about, and the jobs of those that go to a consumer's storage. */
export async function rowsOf(
  wants: readonly EvidenceWant[],
  { events, mode, vault }: WantReading,
): Promise<{ want: SiteWant; job: NewEvidenceJob | null }[]> {
  const found = await events.byKeys(
    wants.map(({ tenant_code: tenantCode, event_key: idempotencyKey }) => ({ tenantCode, idempotencyKey })),
  );
  return wants.map((want) => {
    const event = found.get(eventKey(want.tenant_code, want.event_key));
    const eventId = event?.instance === null ? event.id : 0;
    const refused = want.kind === 'keep' && mode === 'none';
    const row: SiteWant = {
      id: want.want_id,
      kind: want.kind,
      tenantCode: want.tenant_code,
      eventId,
      eventKey: want.event_key,
      name: want.name,
      offered: want.offered,
      askedAt: want.asked_at,
      state: refused ? 'failed' : 'open',
      reason: refused ? SENDS_NONE : null,
      at: null,
      told: null,
    };
    return { want: row, job: jobOf(want, eventId, vault) };
  });
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
  states: readonly Told[];
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
