import { agentMessages } from '../common/agent/agent-messages.ts';
import { coreAlarmMessages } from '../common/core/alarm/alarm-messages.ts';
import { transportMessages } from '../common/http/outbound/transport-messages.ts';
import type { MessageOf } from '../common/message.ts';
import { upgradeMessages } from '../common/uplink/upgrade/upgrade-messages.ts';
import { connectionMessages } from './intake/connection/connection-messages.ts';
import { deviceMessages } from './intake/device-messages.ts';
import { machineAlarmMessages } from './status/alarm-messages.ts';
import { refusedMessages } from './status/refused/refused-messages.ts';
import { upgradeAlarmMessages } from './upgrade/upgrade-alarm-messages.ts';
import { linkMessages } from './uplink/link-messages.ts';
import { uplinkAlarmMessages } from './uplink/uplink-alarm-messages.ts';

/**
 * Every fault and notice of a site that a person may read. No code stands in two of them: a test holds that.
 */
export const siteMessages = {
  ...transportMessages,
  ...linkMessages,
  ...uplinkAlarmMessages,
  ...upgradeMessages,
  ...upgradeAlarmMessages,
  ...machineAlarmMessages,
  ...deviceMessages,
  ...refusedMessages,
  ...connectionMessages,
  ...coreAlarmMessages,
  ...agentMessages,
};

export type SiteMessage = MessageOf<typeof siteMessages>;
/** What keeps the uplink from sending. */
export type LinkFault = MessageOf<typeof linkMessages & typeof transportMessages>;
