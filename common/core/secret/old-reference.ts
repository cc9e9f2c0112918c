// References of an older version that name a file or variable of the machine. Nothing opens them any more,
// since whoever may save one could read anything by it; an alarm tells of each until its owner has a secret.
import type { AlarmPort } from '../alarm/port.ts';
import type { Stores } from '../stores.ts';
import { namesMachine } from './decide.ts';

export interface ReferenceOwner {
  kind: 'subscription' | 'channel' | 'source';
  id: string;
  /** For people. */
  name: string;
  tenantCode: string | null;
  refs: readonly (string | null)[];
}

const TOLD = { subscription: 'The subscription', channel: 'The channel', source: 'The dataset source' };
const NEXT = {
  subscription: 'name it as secret_ref with POST /api/core/events/subscribe',
  channel:
    'name it as secret_ref (the address: url_ref), or give it in clear, with PATCH /api/agent/channels/{id}',
  source: 'name it as secret_ref with PATCH /api/dataset/sources/{id}',
};

const alarmKey = ({ kind, id }: Pick<ReferenceOwner, 'kind' | 'id'>): string =>
  `secret_reference:${kind}:${id}`;

/** @param self name of this instance @param now epoch ms */
export async function tellOldReferences(
  owners: readonly ReferenceOwner[],
  { alarms, self, now }: { alarms: AlarmPort; self: string; now: number },
): Promise<void> {
  for (const owner of owners) {
    if (!owner.refs.some(namesMachine)) continue;
    const { kind, id, name, tenantCode } = owner;
    await alarms.raise(
      {
        key: alarmKey(owner),
        instance: self,
        tenantCode,
        severity: 'critical',
        details: { kind, id },
        message:
          `${TOLD[kind]} ${name} stands still: its secret is a reference to a file or variable of the ` +
          'machine, which is no longer read. ' +
          `Give the secret with PUT /api/core/secrets/{name}, then ${NEXT[kind]}.`,
      },
      now,
    );
  }
}

/** The subscriptions and channels of a store. */
export async function referenceOwners({
  subscriptions,
  channels,
}: Pick<Stores, 'subscriptions' | 'channels'>): Promise<ReferenceOwner[]> {
  return [
    ...(await subscriptions.list()).map(({ consumer, tenantCode, secretRef }): ReferenceOwner => ({
      kind: 'subscription',
      id: consumer,
      name: consumer,
      tenantCode,
      refs: [secretRef],
    })),
    ...(await channels.list(null)).map(({ id, name, tenantCode, urlRef, secretRef }): ReferenceOwner => ({
      kind: 'channel',
      id,
      name,
      tenantCode,
      refs: [urlRef, secretRef],
    })),
  ];
}

/** Nobody is asked to look at an owner that was given a secret, or is gone. @param now epoch ms */
export async function settleReference(
  alarms: AlarmPort,
  owner: Omit<ReferenceOwner, 'name' | 'tenantCode'>,
  now: number,
): Promise<void> {
  if (!owner.refs.some(namesMachine)) await alarms.clear(alarmKey(owner), null, now);
}
