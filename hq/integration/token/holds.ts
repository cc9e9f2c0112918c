import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort, RaiseAlarm } from '../../../common/core/alarm/port.ts';
import { keepStanding } from '../../../common/core/alarm/standing.ts';
import { hubMessages } from '../../hub-messages.ts';
import type { TokenPort } from '../port.ts';
import type { HeldClient } from '../record.ts';
import { FAILURE_LIMITS } from './decide.ts';

/** Clients, and addresses, of one look. */
const MAX_HELD = 100;
const CLIENT_ALARM = 'tokens.client_held:';
const ADDRESS_ALARM = 'tokens.address_held:';
/** Begins the keys of all alarms about tokens. */
export const TOKEN_ALARM = 'tokens.';

interface TokenHoldsParts {
  tokens: TokenPort;
  alarms: AlarmPort;
  clock: Clock;
  instance: string;
}

/**
 * An alarm for each client, and each address, whose wrong requests for tokens are more than is borne; it ends
 * with that.
 */
export class TokenHolds {
  readonly #parts: TokenHoldsParts;

  constructor(parts: TokenHoldsParts) {
    this.#parts = parts;
  }

  async look(): Promise<void> {
    const { tokens, alarms, clock, instance } = this.#parts;
    const now = clock.now();
    const held = await tokens.held(now, MAX_HELD);
    const found = new Map<string, HoldAlarm>([
      ...byClient(held.clients).map(clientAlarm),
      ...held.addresses.map(({ ip }) => addressAlarm(ip)),
    ]);
    const raised = [...found].map(([key, { tenantCode, text }]): RaiseAlarm => {
      return { key, instance, tenantCode, shared: true, severity: 'warning', ...text };
    });
    await keepStanding(alarms, { prefix: TOKEN_ALARM, instance: null, most: MAX_HELD }, raised, now);
  }
}

interface HoldAlarm {
  tenantCode: string | null;
  text: Pick<RaiseAlarm, 'message' | 'details'>;
}

const byClient = (held: readonly HeldClient[]): HeldClient[][] => [
  ...Map.groupBy(held, ({ tenantCode, clientId }) => `${tenantCode}\n${clientId}`).values(),
];

function clientAlarm(all: readonly HeldClient[]): [string, HoldAlarm] {
  const [client = { tenantCode: '', clientId: '', name: '' }] = all;
  const { tenantCode, clientId, name } = client;
  const params = {
    client: name,
    id: clientId,
    limit: FAILURE_LIMITS.client,
    addresses: all.map(({ ip }) => ip).join(', '),
  };
  const text = alarmText(hubMessages, { code: 'token_client_held', params }, { clientId });
  return [`${CLIENT_ALARM}${clientId}`, { tenantCode, text }];
}

function addressAlarm(ip: string): [string, HoldAlarm] {
  const params = { address: ip, limit: FAILURE_LIMITS.address };
  const text = alarmText(hubMessages, { code: 'token_address_held', params }, { address: ip });
  return [`${ADDRESS_ALARM}${ip}`, { tenantCode: null, text }];
}
