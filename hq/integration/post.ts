import type { Clock } from '../../common/clock.ts';
import { AddressRefused } from '../../common/http/outbound/address.ts';
import {
  type HttpClient,
  leadsTo,
  type OutgoingAnswer,
  TransportError,
} from '../../common/http/outbound/client.ts';
import { transportMessages } from '../../common/http/outbound/transport-messages.ts';
import { say } from '../../common/message.ts';
import { readSecret, SecretError, type SecretSources } from '../../common/secret/secret.ts';
import { ATTEMPT_MS, KEPT_ANSWER, readRetryAfter } from './decide.ts';
import { type DeliveryMessage, deliveryMessages } from './delivery-messages.ts';
import type { AttemptResult, ClaimedDelivery } from './record.ts';
import { webhookSignatures } from './signature.ts';

export interface PostOptions {
  client: HttpClient;
  secrets: SecretSources;
  clock: Clock;
  /** Of this program, for the User-Agent. */
  version: string;
  /** Longest attempt, the answer's body included, ms; 10 s unless given. */
  attemptMs?: number | undefined;
}

/** Makes one attempt. It throws nothing that comes of the receiver or its address. */
export type DeliveryPost = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptResult>;

const nothing = { responseCode: null, responseBody: null, retryAfterMs: null };

export function createDeliveryPost({
  client,
  secrets,
  clock,
  version,
  attemptMs = ATTEMPT_MS,
}: PostOptions): DeliveryPost {
  return async (delivery, signal) => {
    try {
      const live = secretsOf(delivery, secrets, clock.now());
      const answer = await client.send({
        method: 'POST',
        url: delivery.url,
        body: delivery.body,
        timeoutMs: attemptMs,
        keepAnswer: KEPT_ANSWER,
        signal,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': `service-backend/${version}`,
          'X-Service-Event': delivery.event,
          ...webhookSignatures(live, {
            id: delivery.eventId,
            timestamp: Math.floor(clock.now() / 1000),
            body: delivery.body,
          }),
        },
      });
      const { status } = answer;
      const taken = status >= 200 && status < 300;
      return {
        responseCode: status,
        responseBody: textOf(answer.body),
        ...(taken ? { error: null, told: null } : said(refusalOf(answer))),
        retryAfterMs: taken ? null : readRetryAfter(answer.headers['retry-after'], clock.now()),
      };
    } catch (error) {
      return { ...nothing, ...failureOf(error, signal) };
    }
  };
}

/** @throws `error`, where it comes of neither the receiver, its address nor the secret */
function failureOf(error: unknown, signal: AbortSignal): Pick<AttemptResult, 'error' | 'told' | 'unsent'> {
  if (error instanceof SecretError)
    return {
      error: `Nothing was sent: the signing secret cannot be read here: ${error.message}`,
      told: { code: 'delivery_unsigned', params: {} },
      unsent: true,
    };
  if (!(error instanceof TransportError)) throw error;
  if (signal.aborted) return said({ code: 'delivery_hub_stopped', params: {} });
  const code = error.cause instanceof AddressRefused ? 'delivery_refused' : 'delivery_unreached';
  return said({ code, params: { fault: error.fault } });
}

const said = (told: DeliveryMessage): Pick<AttemptResult, 'error' | 'told'> => ({
  error: say({ ...transportMessages, ...deliveryMessages }, told, 'en'),
  told,
});

const refusalOf = ({ status, headers }: OutgoingAnswer): DeliveryMessage =>
  status >= 300 && status < 400
    ? { code: 'delivery_redirected', params: { status, where: leadsTo(headers) } }
    : { code: 'delivery_answered', params: { status } };

/** What a text column can hold. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\u0000', '\ufffd');

/** The live secret, and the one before it while the overlap lasts. @throws SecretError */
function secretsOf(
  { secretRef, previousRef, previousUntil }: ClaimedDelivery,
  sources: SecretSources,
  now: number,
): [string, ...string[]] {
  const live = readSecret(secretRef, sources);
  return previousRef !== null && previousUntil !== null && previousUntil > now
    ? [live, readSecret(previousRef, sources)]
    : [live];
}
