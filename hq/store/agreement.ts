// The hubs of one database seal and open with one master key (hq/store/README.md, "Several hubs").
import { createHmac, hash } from 'node:crypto';
import type { HubFacts } from './adapter/fact.ts';

/** The key that seals, from the secret that is kept or configured. */
export const masterKeyOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** This hub would seal what the others cannot open. */
export class MasterKeyDiffers extends Error {
  override name = 'MasterKeyDiffers';
  readonly forPeople = true;
}

/** Tells master keys apart, and nothing of the key itself. */
const printOf = (masterKey: Buffer): string =>
  createHmac('sha256', masterKey).update('fieldline-hq database').digest('hex');

/** @throws MasterKeyDiffers where the database is used with another one */
export async function agreeOnMasterKey(store: { facts: HubFacts }, masterKey: Buffer): Promise<void> {
  const print = printOf(masterKey);
  if ((await store.facts.agree('master_key', print)) === print) return;
  throw new MasterKeyDiffers(
    'The secrets in this database are sealed with another master key than this hub has. Name that key in ' +
      'CORE_MASTER_KEY_REF, or copy secrets/master-key of the hub that has it. Where it is lost for good, ' +
      'run `fieldline-hq migrate --new-master-key`, and give the secrets of sources, webhooks and ' +
      'channels anew.',
  );
}

/** What was sealed with the key before can be opened by nobody any more. */
export async function replaceMasterKey({ facts }: { facts: HubFacts }, masterKey: Buffer): Promise<void> {
  // Devices that take calls are registered anew, with keys that are made anew.
  await facts.remove('push_keys');
  await facts.replace('master_key', printOf(masterKey));
}
