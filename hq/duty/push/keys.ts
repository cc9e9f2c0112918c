// The keys by which push services know this installation (VAPID, RFC 8292).
import webpush from 'web-push';
import { seal, unseal } from '../../../common/secret/sealing.ts';

export interface PushKeys {
  /** Of the curve P-256, base64url: browsers subscribe to it. */
  publicKey: string;
  privateKey: string;
}

/** The part of the facts of the database that they are kept in. */
export interface PushKeyFacts {
  /** @returns the value that stands: `value` where there was none */
  agree(name: 'push_keys', value: string): Promise<string>;
  get(name: 'push_keys'): Promise<string | null>;
}

/** What they are sealed for. */
const BOUND = 'push keys';

/**
 * Made at the first start, sealed by the master key and kept in the database, so that all its hubs have the
 * same. Other keys would make every device that was registered deaf.
 */
export async function pushKeysOf(facts: PushKeyFacts, masterKey: Buffer): Promise<PushKeys> {
  const kept = await facts.get('push_keys');
  const fresh = () => seal(JSON.stringify(webpush.generateVAPIDKeys()), masterKey, BOUND);
  return JSON.parse(unseal(kept ?? (await facts.agree('push_keys', fresh())), masterKey, BOUND)) as PushKeys;
}
