import { say } from '../../../common/message.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import type { ConnectionView } from '../schema.ts';
import { connectionTexts } from './fault.ts';
import type { ConnectionState } from './state.ts';

export const connectionViewOf = (state: ConnectionState): ConnectionView => ({
  condition: state.condition,
  since: formatTime(state.since),
  code: state.fault?.code ?? null,
  reason: state.fault && say(connectionTexts, state.fault, 'en'),
  reasonZh: state.fault && say(connectionTexts, state.fault, 'zh'),
  aliveAt: formatTimeOrNull(state.aliveAt),
  nextAttemptAt: formatTimeOrNull(state.nextAttemptAt),
  connects: state.connects,
});
