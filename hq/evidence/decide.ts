import type { EventRecord } from '../../common/core/event/record.ts';
import type { Announced } from '../../common/core/evidence/decide.ts';
import type { RemoteFile, RemoteFileState } from '../../common/core/evidence/port.ts';
import type { EvidenceWant } from '../../common/uplink/evidence.ts';
import type { NewWant, SiteEvidence, Want } from './port.ts';

/** A file that arrives complete but differs from its announcement is requested this many times. */
export const MOST_MISMATCHES = 3;

/** A site asks again so soon whether there is room, without sending anything. */
export const ROOM_RETRY_S = 60;

const STATES = {
  asked: 'asked',
  taken: 'asked',
  waiting: 'asked',
  awaited: 'awaited',
  arriving: 'arriving',
  // A file that came has no want any more: what is gone was nowhere else.
  gone: 'lost',
  failed: 'failed',
} as const satisfies Record<Want['state'], RemoteFileState>;

/** A file that is kept at its site, as a caller here sees it. @param want null: not asked for */
export function remoteFileOf(instance: string, want: Want | null): RemoteFile {
  const nothing = { bytes: 0, reason: null, sendsNone: false, askedAt: null, deletedAt: null };
  if (!want) return { ...nothing, state: 'at_site', instance };
  return {
    state: STATES[want.state],
    instance,
    bytes: want.held,
    reason: want.reason,
    sendsNone: false,
    askedAt: want.state === 'gone' ? null : want.askedAt,
    deletedAt: want.state === 'gone' ? want.settledAt : null,
  };
}

/** Why a site is not asked for a file; null: it is. */
export function reasonNotAsked(site: SiteEvidence | undefined): string | null {
  return site?.mode === 'none'
    ? 'the site sends no files to headquarters (CORE_UPLINK_EVIDENCE=none there)'
    : null;
}

/** @param askedBy null: the site offered it */
export function wantOf(
  event: EventRecord,
  file: Pick<Announced, 'name' | 'size' | 'sha256'>,
  { id, kind, askedBy }: Pick<NewWant, 'id' | 'kind' | 'askedBy'>,
): NewWant {
  const { tenantCode, instance, id: eventId, idempotencyKey: eventKey } = event;
  const { name, size, sha256 } = file;
  return { id, kind, askedBy, tenantCode, instance: instance ?? '', eventId, eventKey, name, size, sha256 };
}

/** What a site needs to carry out an order. */
export interface Order {
  consumer: string;
  access: { putUrl: string; headers: Record<string, string> };
}

/** A want as it goes down. @param put what opens the address of a `put` want */
export function wireWant(want: Want, put: Order | null): EvidenceWant {
  return {
    want_id: want.id,
    tenant_code: want.tenantCode,
    event_key: want.eventKey,
    name: want.name,
    kind: want.kind,
    offset: want.held,
    asked_at: want.askedAt,
    offered: want.askedBy === null,
    ...(put === null
      ? {}
      : { consumer: put.consumer, put: { url: put.access.putUrl, headers: put.access.headers } }),
  };
}

/** What becomes of a file that came whole. */
export function decideWhole(
  want: Pick<Want, 'size' | 'sha256' | 'mismatches'>,
  found: { size: number; sha256: string },
): { kind: 'keep' } | { kind: 'again' } | { kind: 'give_up'; reason: string } {
  if (found.size === want.size && found.sha256 === want.sha256) return { kind: 'keep' };
  return want.mismatches + 1 < MOST_MISMATCHES
    ? { kind: 'again' }
    : {
        kind: 'give_up',
        reason: `what the site brought is not the file that the camera announced, ${MOST_MISMATCHES} times`,
      };
}

/** What a person reads of an order, while the site is to carry it out. */
export function orderReason(want: Want): string {
  const { instance, state, reason } = want;
  if (state === 'asked') return `the order waits for the site ${instance} to call`;
  if (state === 'awaited') return `at the site ${instance}: the camera has not sent the file yet`;
  return reason === null ? `the site ${instance} has the order` : `at the site ${instance}: ${reason}`;
}
