// Every contract suite, run once per store.
import { adminKeyContract } from './admin-keys.ts';
import { alarmContract } from './alarms.ts';
import { auditContract } from './audit.ts';
import { correctionContract } from './corrections.ts';
import { eventReadContract } from './event-reads.ts';
import { eventRoomContract } from './event-room.ts';
import { eventContract } from './events.ts';
import { evidenceContract } from './evidence.ts';
import { feedbackContract } from './feedback.ts';
import type { MakeHarness } from './harness.ts';
import { incidentContract } from './incidents.ts';
import { keyContract } from './keys.ts';
import { loginAttemptContract } from './login-attempts.ts';
import { pushContract } from './push.ts';
import { retentionContract } from './retention.ts';
import { retentionRoundContract } from './retention-rounds.ts';
import { ruleContract } from './rules.ts';
import { secretContract } from './secrets.ts';
import { sessionContract } from './sessions.ts';
import { subscriptionContract } from './subscriptions.ts';
import { taskEvidenceContract } from './task-evidence.ts';
import { taskContract } from './tasks.ts';
import { verdictContract } from './verdicts.ts';

export function allContracts(make: MakeHarness): void {
  eventContract(make);
  eventReadContract(make);
  eventRoomContract(make);
  verdictContract(make);
  correctionContract(make);
  subscriptionContract(make);
  keyContract(make);
  adminKeyContract(make);
  feedbackContract(make);
  auditContract(make);
  alarmContract(make);
  retentionContract(make);
  retentionRoundContract(make);
  secretContract(make);
  sessionContract(make);
  loginAttemptContract(make);
  pushContract(make);
  evidenceContract(make);
  taskContract(make);
  incidentContract(make);
  ruleContract(make);
  taskEvidenceContract(make);
}
