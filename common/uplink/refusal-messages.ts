import { groupRefusalMessages } from '../core/incident/refusal-messages.ts';
import { orderRefusalMessages } from '../core/task/refusal-messages.ts';
import { decisionRefusalMessages } from '../core/verdict/refusal-messages.ts';
import { faultMessages } from './fault-messages.ts';
import { libraryRefusalMessages } from './library-refusal-messages.ts';
import { requestRefusalMessages } from './request-refusal-messages.ts';
import { settingsMessages } from './settings/settings-messages.ts';
import { upgradeMessages } from './upgrade/upgrade-messages.ts';

/** Why a site did not carry out what headquarters ordered or decided, with the faults that reasons name. */
export const refusalMessages = {
  ...faultMessages,
  ...orderRefusalMessages,
  ...groupRefusalMessages,
  ...decisionRefusalMessages,
  ...libraryRefusalMessages,
  ...settingsMessages,
  ...requestRefusalMessages,
  ...upgradeMessages,
};
