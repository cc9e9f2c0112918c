import type { Clock } from '../../clock.ts';
import { AddressRefused } from '../../http/outbound/address.ts';
import { type HttpClient, TransportError } from '../../http/outbound/client.ts';
import { signedHeaders } from '../../http/signing/signature.ts';
import type { Logger } from '../../log.ts';
import { SecretError } from '../../secret/secret.ts';
import { renderEvent } from '../event/render.ts';
import { hostOf } from '../secret/decide.ts';
import { SECRET_UNUSABLE, type SecretResolver } from '../secret/resolver.ts';
import type { SubscriptionRecord } from '../subscription/port.ts';
import type { Batch } from '../subscription/scan.ts';

/** Over the whole exchange, from connecting to the last byte of the receipt. */
const EXCHANGE_MS = 10_000;
/** Bytes; a longer answer counts as one that asks for nothing. */
const MAX_RECEIPT = 1024 * 1024;

/** What came of one push; `receipt` null: taken, with an answer too large to be read. */
export type PostOutcome = { receipt: Buffer | null } | { error: string };

/** Sends one batch and waits for the answer. It throws nothing that comes of the consumer or its address. */
export type PushPost = (to: SubscriptionRecord, batch: Batch, signal: AbortSignal) => Promise<PostOutcome>;

export interface PushPostOptions {
  client: HttpClient;
  secretResolver: Pick<SecretResolver, 'open'>;
  clock: Clock;
  log: Logger;
  epoch: () => string;
  /** Name of this instance, for events that arose here. */
  self: string;
}

/**
 * One push over HTTP (spec 2, "Optional push"): signed, bounded in time and in the size of the receipt; what
 * the consumer or the way to it does wrong is an answer, not an error.
 */
export function createPost(options: PushPostOptions): PushPost {
  return async (to, batch, signal) => {
    if (to.pushUrl === null) return { error: 'there is no address' };
    const body = bodyOf(to.consumer, batch, options);
    try {
      const answer = await options.client.send({
        method: 'POST',
        url: to.pushUrl,
        body,
        timeoutMs: EXCHANGE_MS,
        maxAnswer: MAX_RECEIPT,
        signal,
        headers: {
          'content-type': 'application/json',
          'x-service-consumer': to.consumer,
          ...(await signatureFor(to, to.pushUrl, body, options)),
        },
      });
      return taken(answer.status) ? { receipt: answer.body } : { error: refusal(answer.status) };
    } catch (error) {
      if (error instanceof TransportError && error.status !== null && taken(error.status))
        return { receipt: null };
      if (error instanceof SecretError) {
        options.log.warn({ err: error, consumer: to.consumer }, 'a push cannot be signed');
        return { error: `the push cannot be signed: ${SECRET_UNUSABLE}` };
      }
      return { error: reasonOf(error) };
    }
  };
}

/** The stored text of an event is spliced in, as for a pull. */
function bodyOf(consumer: string, batch: Batch, { self, epoch }: PushPostOptions): string {
  const items = batch.items.map((event) => renderEvent(event, self)).join(',');
  return (
    `{"consumer":${JSON.stringify(consumer)},"items":[${items}],"nextCursor":${batch.nextCursor}` +
    `,"hasMore":${batch.hasMore},"epoch":${JSON.stringify(epoch())}}`
  );
}

/** @throws SecretError: a push that should be signed never goes out unsigned */
async function signatureFor(
  to: SubscriptionRecord,
  pushUrl: string,
  body: string,
  { secretResolver, clock }: PushPostOptions,
): Promise<Record<string, string>> {
  if (to.secretRef === null) return {};
  const url = new URL(pushUrl);
  const secret = await secretResolver.open(to.secretRef, {
    use: 'push',
    tenantCode: to.tenantCode,
    host: hostOf(pushUrl),
    owner: to.consumer,
  });
  return signedHeaders({ keyId: to.consumer, secret }, clock.now(), 'POST', url.pathname + url.search, body);
}

const taken = (status: number): boolean => status >= 200 && status < 300;

const refusal = (status: number): string =>
  status >= 300 && status < 400
    ? `the consumer answered ${status}; redirects are not followed`
    : `the consumer answered ${status}`;

function reasonOf(error: unknown): string {
  if (!(error instanceof TransportError)) throw error;
  return error.cause instanceof AddressRefused
    ? `${error.message}; allow it with CORE_PUSH_NETWORKS`
    : `the consumer cannot be reached: ${error.message}`;
}
