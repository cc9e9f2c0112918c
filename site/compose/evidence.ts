import type { Core } from '../../common/core/core.ts';
import { type SmallPictureBounds, SmallPictures } from '../../common/core/evidence/small/pictures.ts';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import { version } from '../../common/package.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import type { NeverComes } from '../intake/picture/keep.ts';
import { UplinkAlarms } from '../uplink/alarms.ts';
import { EvidenceCalls } from '../uplink/evidence/calls.ts';
import { Previews } from '../uplink/evidence/previews.ts';
import { EvidenceSender } from '../uplink/evidence/sender.ts';
import type { Base } from './base.ts';

/**
 * Previews for headquarters: small enough to hold up no event for a second at 256 kbit/s, and made within
 * what is left of the memory of a site. Of the memory of the process some 650 MB are reserved by Node and not
 * used; the worst picture that is read takes 90 MB beside its program.
 */
const PREVIEWS: SmallPictureBounds = {
  side: 640,
  bytes: 24_000,
  most: { pixels: 40_000_000, progressive: 9_000_000 },
  fileBytes: 32 * 1024 * 1024,
  withinMs: 10_000,
  memoryMb: 768,
  idleMs: 30_000,
};

/**
 * The sender of evidence, with a connection of its own: files never delay the channels, nor channels the
 * files.
 */
export function createEvidenceSender(
  { config, store, evidenceFiles: files, secrets, clock, log, lifecycle }: Base,
  uplink: NonNullable<SiteConfig['uplink']>,
  core: Core,
  neverComes: NeverComes,
): EvidenceSender {
  const { url, keyRef, evidence: mode } = uplink;
  const client = createHttpClient(null, { maxSockets: 1 });
  lifecycle.onStop('evidence client', () => client.close());
  const key = () => readKeyText(keyRef, config.secrets);
  const small = new SmallPictures(PREVIEWS, log);
  lifecycle.onStop('process of previews', () => small.stop());
  const sentThrough = (): number => store.uplink.channel('events').cursor;
  const now = (): number => clock.monotonic();
  const alarms = new UplinkAlarms(store.alarms, config.instance, clock);
  const previews = new Previews({
    wants: store.evidenceWants,
    files,
    shrinker: small,
    sentThrough,
    now,
    log,
  });
  const sender = new EvidenceSender({
    previews,
    wants: store.evidenceWants,
    events: store.events,
    files,
    calls: new EvidenceCalls({ client, key, url, clock }),
    vault: secrets.sealing,
    mode,
    get kbps() {
      return uplink.evidenceKbps;
    },
    lost: async (event, name) =>
      !core.evidence.isArriving(event.id, name) &&
      neverComes(event, name) &&
      !(await store.evidence.ofEvent(event.tenantCode, event.id)).some((file) => file.name === name),
    sentThrough,
    onFull: (tenants, fault) => alarms.noRoom(tenants, fault),
    envelope: () => ({ version, instance: config.instance, epoch: store.epoch() }),
    clock,
    log,
  });
  lifecycle.onStop('uplink evidence', () => sender.loop.stop());
  return sender;
}
