// Pure: what follows of one event, from what the rules said of it and what the store has seen.
import type { Stamp } from '../../clock.ts';
import type { EventRecord } from '../../core/event/record.ts';
import type { ChannelName } from '../../core/notification/record.ts';
import type { ChannelSummary } from '../channel/record.ts';
import { joinChains } from '../grouping/decide.ts';
import type { ChainRecord } from '../grouping/record.ts';
import { inEnglish, type Note, texts } from './note-messages.ts';
import { deadlineOf, notificationsOf } from './notify.ts';
import type {
  CooldownKey,
  CooldownRecord,
  DecisionOutcome,
  DecisionRecord,
  HandleEvent,
  HandleOutcome,
  HandleWrites,
  RuleChoice,
} from './record.ts';
import { cameraOf, messageOf, messageWith, taskOf } from './task.ts';

/**
 * An event that waited longer than this for the agent pages nobody any more: it goes to the inbox, beside an
 * alarm.
 */
export const LATE_MS = 4 * 3_600_000;
/** What the store has read, inside the transaction and under its locks. */
export interface SeenEvent {
  event: EventRecord | null;
  prior: DecisionRecord | null;
  cooldown: CooldownRecord | null;
  /** Enabled channels of the tenant. */
  channels: readonly ChannelSummary[];
  /** Runs that the event may belong to, newest first in each layer. */
  chains: readonly ChainRecord[];
}

export interface HandledEvent {
  outcome: HandleOutcome;
  writes: HandleWrites | null;
}

/** null: the choice knows no cooldown. */
export function cooldownKey(event: EventRecord, choice: RuleChoice): CooldownKey | null {
  if (choice.kind !== 'notify' || choice.cooldownS <= 0 || choice.ruleName === null || choice.judgedBelow)
    return null;
  return {
    tenantCode: event.tenantCode,
    camera: cameraOf(event),
    eventType: event.type,
    ruleName: choice.ruleName,
    isTest: event.isTest,
  };
}

/**
 * Decides on one event (spec 3, "Response rule").
 *  - Decided before: nothing.
 *  - Judged a false alarm or merged by the time: no task, the decision says so.
 *  - An observation that no rule asks for: no task, the decision says so.
 *  - A machine judgement below `judge_min_conf`: a review task of low severity, nobody is notified.
 *  - A test event: as any other, but its notifications go to the inbox only.
 *  - Within a cooldown: a task marked suppressed, without notification, deadline and summary.
 */
export function decideHandle(
  seen: SeenEvent,
  command: HandleEvent,
  steadyAt: number,
  stamp: Stamp,
): HandledEvent {
  const { event, prior } = seen;
  if (!event) return { outcome: { kind: 'gone' }, writes: null };
  if (prior) return { outcome: { kind: 'replayed', decision: prior }, writes: null };
  const passed = passedOver(event, command.choice);
  if (passed)
    return settled({
      ...nothing,
      decision: decisionOf(event, command.choice, { ...passed, summary: null }, stamp),
    });
  return act(seen, event, { ...command, choice: carriedOut(command.choice) }, { steadyAt, stamp });
}

const nothing: Omit<HandleWrites, 'decision'> = {
  task: null,
  cooldown: null,
  deadline: null,
  notifications: [],
  chains: [],
  taskPages: null,
};

function passedOver(event: EventRecord, choice: RuleChoice): { outcome: DecisionOutcome; note: Note } | null {
  const standing = event.correctedTo ?? event.verdict;
  if (standing === 'false_alarm' || standing === 'merged')
    return {
      outcome: 'judged',
      note: { code: 'judged', params: { verdict: { code: standing, params: {} } } },
    };
  if (event.kind === 'observation' && choice.ruleName === null)
    return {
      outcome: 'observed',
      note: { code: choice.rulesUnread ? 'rules_unread' : 'observed', params: {} },
    };
  return null;
}

/**
 * The specification lets such a judgement count as a false alarm. To be safe a person still looks at it, but
 * nobody is paged.
 */
const carriedOut = (choice: RuleChoice): RuleChoice =>
  choice.judgedBelow
    ? { ...choice, kind: 'review', severity: 'low', channels: [], dueMinutes: null, cooldownS: 0, llm: false }
    : choice;

export interface DecisionPreview {
  /** With the channels that are used. */
  choice: RuleChoice;
  makesTask: boolean;
  /** Why it goes otherwise than the rule says; null when it does not. */
  note: string | null;
  /** The same in Chinese. */
  noteZh: string | null;
}

/**
 * For those who ask before an event comes: what would follow of it if it were taken in time and outside of a
 * cooldown. Pure.
 */
export function previewDecision(event: EventRecord, choice: RuleChoice): DecisionPreview {
  const passed = passedOver(event, choice);
  if (passed) return { choice: { ...choice, channels: [] }, makesTask: false, ...texts(passed.note) };
  const done = carriedOut(choice);
  const wanted = channelsOf(done);
  const channels: ChannelName[] = wanted.length > 0 && event.isTest ? ['inbox'] : wanted;
  return {
    choice: { ...done, channels },
    makesTask: true,
    ...texts(
      noteOf(done, event, {
        suppressed: false,
        late: false,
        narrowed: wanted.some((name) => !channels.includes(name)),
      }),
    ),
  };
}

function act(
  seen: SeenEvent,
  event: EventRecord,
  command: HandleEvent,
  { steadyAt, stamp }: { steadyAt: number; stamp: Stamp },
): HandledEvent {
  const { choice, clause = null } = command;
  const key = cooldownKey(event, choice);
  const suppressed = key !== null && seen.cooldown !== null && steadyAt < seen.cooldown.until;
  const late = !suppressed && stamp.now - event.receivedAt > LATE_MS;
  const wanted = suppressed ? [] : channelsOf(choice);
  const channels: ChannelName[] = wanted.length > 0 && (late || event.isTest) ? ['inbox'] : wanted;
  const task = taskOf(event, choice, { suppressed, channels, clause, now: stamp.now });
  const decision = decisionOf(
    event,
    choice,
    {
      outcome: suppressed ? 'suppressed' : 'task',
      summary: command.summaries && choice.llm && choice.ruleName !== null && !suppressed ? 'pending' : null,
      note: noteOf(choice, event, {
        suppressed,
        late,
        narrowed: wanted.some((name) => !channels.includes(name)),
      }),
    },
    stamp,
  );
  const about = { event, choice, message: messageWith(messageOf(event, choice), clause) };
  const ways = { configured: seen.channels, headquarters: command.handsUp };
  return settled({
    decision,
    task,
    cooldown:
      key !== null && !suppressed
        ? { ...key, until: steadyAt + choice.cooldownS * 1000, eventId: event.id }
        : null,
    // An event that waited long does not page; that nobody took its task over then does.
    deadline: deadlineOf(about, event.isTest ? channels : wanted, task, {
      graceS: command.graceS,
      steadyAt,
      now: stamp.now,
    }),
    notifications: notificationsOf(about, channels, ways, stamp),
    chains: joinChains(seen.chains, { event, camera: cameraOf(event), steadyAt }, command.links),
    taskPages: choice.standard ? command.taskPages : null,
  });
}

function settled(writes: HandleWrites): HandledEvent {
  const unconfigured = writes.notifications
    .filter((one) => one.channel !== 'inbox' && one.channelId === null && one.handover === null)
    .map((one) => one.channel);
  return {
    outcome: {
      kind: 'decided',
      decision: writes.decision,
      notifications: writes.notifications.length,
      unconfigured,
    },
    writes,
  };
}

/**
 * A rule that notifies or dispatches without naming a channel means the inbox; a review notifies only where
 * its rule names a channel.
 */
function channelsOf(choice: RuleChoice): ChannelName[] {
  const named = [...new Set(choice.channels)];
  return named.length > 0 || choice.kind === 'review' ? named : ['inbox'];
}

function noteOf(
  choice: RuleChoice,
  event: EventRecord,
  how: { suppressed: boolean; late: boolean; narrowed: boolean },
): Note | null {
  if (choice.judgedBelow) return { code: 'judged_below', params: {} };
  if (how.suppressed) return { code: 'suppressed', params: {} };
  if (choice.rulesUnread) return { code: 'rules_unread', params: {} };
  if (how.late) return { code: 'late', params: {} };
  return event.isTest && how.narrowed ? { code: 'test_inbox', params: {} } : null;
}

function decisionOf(
  event: EventRecord,
  choice: RuleChoice,
  { note, ...what }: Pick<DecisionRecord, 'outcome' | 'summary'> & { note: Note | null },
  stamp: Stamp,
): DecisionRecord {
  const { ruleName, ruleVersion, kind } = choice;
  return {
    eventId: event.id,
    tenantCode: event.tenantCode,
    ruleName,
    ruleVersion,
    action: kind,
    taskId: null,
    decidedAt: stamp.now,
    note: inEnglish(note),
    ...what,
  };
}
