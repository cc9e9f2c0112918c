// References of an older version that name a file or variable of the machine. Nothing opens them any more,
// since whoever may save one could read anything by it; an alarm tells of each until its owner has a secret.
import type { MessageOf } from '../../message.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { alarmText } from '../alarm/alarm-text.ts';
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

/** The call that gives a secret, as the description of the API writes it. */
const GIVE = 'PUT /api/core/secrets/{name}';

function messageOf({ kind, id, name }: ReferenceOwner): MessageOf<typeof coreAlarmMessages> {
  switch (kind) {
    case 'subscription':
      return { code: 'subscription_reference', params: { name, give: GIVE } };
    case 'channel':
      return { code: 'channel_reference', params: { name, id, give: GIVE } };
    case 'source':
      return { code: 'source_reference', params: { name, id, give: GIVE } };
  }
}

const alarmKey = ({ kind, id }: Pick<ReferenceOwner, 'kind' | 'id'>): string =>
  `secret_reference:${kind}:${id}`;

/** @param self name of this instance @param now epoch ms */
export async function tellOldReferences(
  owners: readonly ReferenceOwner[],
  { alarms, self, now }: { alarms: AlarmPort; self: string; now: number },
): Promise<void> {
  for (const owner of owners) {
    if (!owner.refs.some(namesMachine)) continue;
    const { kind, id, tenantCode } = owner;
    await alarms.raise(
      {
        key: alarmKey(owner),
        instance: self,
        tenantCode,
        severity: 'critical',
        ...alarmText(coreAlarmMessages, messageOf(owner), { kind, id }),
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
