import type { EventEmitter } from 'node:events';
import type { Core } from '../../common/core/core.ts';
import { readKeyText } from '../../common/http/credentials.ts';
import { version } from '../../common/package.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import type { Operations } from '../status/operations.ts';
import { decisionApplier } from '../uplink/decisions.ts';
import { UplinkSender } from '../uplink/sender.ts';
import type { StatusOptions } from '../uplink/status.ts';
import type { Base } from './base.ts';

/** `waiting`: something new is to be sent to headquarters. */
export type UplinkWork = EventEmitter<{ waiting: [] }>;

/** The sender to headquarters, and what the status of the uplink is read from. */
export function createUplink(
  base: Base,
  core: Core,
  operations: Operations,
  work: UplinkWork,
): StatusOptions & { sender: UplinkSender | null } {
  const { config, store, clock } = base;
  const statusOf = (sender: UplinkSender | null) => ({ store, sender, instance: config.instance, clock });
  if (!config.uplink) return statusOf(null);
  const sender = createSender(base, config.uplink, core, (self) => operations.report(statusOf(self)));
  work.on('waiting', () => sender.notify());
  return statusOf(sender);
}

function createSender(
  { config, store, clock, log, lifecycle }: Base,
  { url, keyRef, intervalMs, batch }: NonNullable<SiteConfig['uplink']>,
  core: Core,
  report: (sender: UplinkSender) => Promise<string>,
): UplinkSender {
  const { instance } = config;
  const client = createHttpClient();
  lifecycle.onStop('uplink client', () => client.close());
  const tellCamera = (feedbackId: string): void => {
    core.feedback
      .firstTry(feedbackId, { tenantCode: null })
      .catch((error: unknown) => log.warn({ err: error }, 'the first feedback try failed'));
  };
  const sender = new UplinkSender({
    store,
    client,
    instance,
    version,
    clock,
    log,
    alarms: store.alarms,
    url,
    interval: intervalMs,
    batch,
    key: () => readKeyText(keyRef, config.secrets),
    applyDecision: decisionApplier({
      events: store.events,
      verdicts: store.verdicts,
      clock,
      instance,
      onWritten: tellCamera,
    }),
    report,
  });
  lifecycle.onStop('uplink', () => sender.stop());
  return sender;
}
