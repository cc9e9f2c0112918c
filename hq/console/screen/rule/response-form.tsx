import { Checkbox, Flex, Input, InputNumber, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { severities } from '../event/filters.ts';
import { useKnownTypes } from '../event/known.ts';
import { useTypeName } from '../event/type-name.tsx';
import { words as eventWords } from '../event/words.ts';
import { Amount, Flag, listOf, Tags } from './fields.tsx';
import { channels } from './filters.ts';
import { formWords } from './form-words.ts';
import { Member, useMember } from './member.tsx';
import { words } from './words.ts';

/**
 * The usual rule: to what it applies, and what it does. What has no field stays as it is.
 * @param tenant whose rule it is; '' while none is chosen
 */
export function ResponseForm({ tenant }: { tenant: string }) {
  const say = useWords(formWords);
  const named = useTypeName(tenant);
  const types = useKnownTypes(tenant || undefined);
  return (
    <>
      <h3 className="form-wide form-part">{say('applies')}</h3>
      <Tags
        path="match.event_types"
        label={say('types')}
        placeholder="vehicle.*"
        extra={say('typesHint')}
        offers={types}
        named={named}
      />
      <Least />
      <Hours />
      <Tags path="match.camera_refs" label={say('cameras')} placeholder={say('anyCamera')} />
      <Tags path="match.site_refs" label={say('places')} placeholder={say('anyPlace')} />
      <Amount path="priority" label={say('priority')} extra={say('priorityHint')} />
      <h3 className="form-wide form-part">{say('does')}</h3>
      <Kind />
      <Channels />
      <Graded />
      <Organisation />
      <Amount path="action.due_minutes" label={say('due')} unit={say('minutes')} />
      <Amount
        path="action.cooldown_s"
        label={say('cooldown')}
        unit={say('seconds')}
        extra={say('cooldownHint')}
      />
      <Message />
      <Flag path="enabled" label={say('enabled')} />
      <Flag path="action.llm" label={say('summary')} />
    </>
  );
}

function useSeverities() {
  const say = useWords(eventWords);
  return severities.map((value) => ({ value, label: say(value) }));
}

function Least() {
  const say = useWords(formWords);
  const { value, set } = useMember('match.min_severity');
  return (
    <Member path="match.min_severity" label={say('least')}>
      <Select
        id="rule-match.min_severity"
        allowClear
        placeholder={say('anySeverity')}
        value={typeof value === 'string' ? value : null}
        options={useSeverities()}
        onChange={(chosen?: string) => set(chosen)}
      />
    </Member>
  );
}

/** In hours of the rule's zone, which only the JSON changes. */
function Hours() {
  const say = useWords(formWords);
  const { value, set } = useMember('match.hours');
  const { value: offset } = useMember('match.tz_offset_min');
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
  const change = (next: readonly unknown[]): void =>
    set(next.every((one) => typeof one !== 'number') ? undefined : next.map((one) => one ?? null));
  const hour = (one: unknown): number | null => (typeof one === 'number' ? one : null);
  return (
    <Member
      path="match.hours"
      label={say('hours')}
      extra={say('hoursHint', { zone: zoneOf(typeof offset === 'number' ? offset : 480) })}
    >
      <Flex gap="small" align="center">
        <InputNumber
          id="rule-match.hours"
          aria-label={say('fromHour')}
          min={0}
          max={24}
          value={hour(from)}
          onChange={(next) => change([next, hour(to)])}
        />
        –
        <InputNumber
          aria-label={say('toHour')}
          min={0}
          max={24}
          value={hour(to)}
          onChange={(next) => change([hour(from), next])}
        />
      </Flex>
    </Member>
  );
}

/** `UTC+08:00`. @param minutes from UTC */
function zoneOf(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (one: number): string => String(one).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

function Kind() {
  const say = useWords(words);
  const sayForm = useWords(formWords);
  const { value, set } = useMember('action.kind');
  return (
    <Member path="action.kind" label={sayForm('kind')}>
      <Select
        id="rule-action.kind"
        value={typeof value === 'string' ? value : 'review'}
        options={[
          { value: 'notify', label: say('notify') },
          { value: 'dispatch', label: say('dispatch') },
          { value: 'review', label: say('reviewAction') },
        ]}
        onChange={set}
      />
    </Member>
  );
}

function Channels() {
  const say = useWords(words);
  const sayForm = useWords(formWords);
  const { value, set } = useMember('action.channels');
  return (
    <Member path="action.channels" label={sayForm('channels')} extra={sayForm('channelsHint')}>
      <Checkbox.Group
        value={listOf(value)}
        options={channels.map((one) => ({ value: one, label: say(one) }))}
        onChange={(chosen) => set(chosen.length === 0 ? undefined : chosen)}
      />
    </Member>
  );
}

function Graded() {
  const say = useWords(formWords);
  const { value, set } = useMember('action.severity');
  return (
    <Member path="action.severity" label={say('graded')}>
      <Select
        id="rule-action.severity"
        allowClear
        placeholder={say('asEvent')}
        value={typeof value === 'string' ? value : null}
        options={useSeverities()}
        onChange={(chosen?: string) => set(chosen)}
      />
    </Member>
  );
}

function Organisation() {
  const say = useWords(formWords);
  const { value, set } = useMember('action.assignee_org');
  return (
    <Member path="action.assignee_org" label={say('organisation')}>
      <Input
        id="rule-action.assignee_org"
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => set(target.value === '' ? undefined : target.value)}
      />
    </Member>
  );
}

const PLACEHOLDERS = '{camera} {type} {severity} {site} {time} {event_id}';
/** What a rule without a message says. */
const USUAL_MESSAGE = '{camera} 发生{type}({severity}),请及时处理。';

function Message() {
  const say = useWords(formWords);
  const { value, set } = useMember('action.message');
  return (
    <Member
      path="action.message"
      label={say('message')}
      extra={
        <>
          {say('messageHint')} <code>{PLACEHOLDERS}</code>
        </>
      }
      wide
    >
      <Input.TextArea
        id="rule-action.message"
        rows={3}
        value={typeof value === 'string' ? value : ''}
        placeholder={USUAL_MESSAGE}
        onChange={({ target }) => set(target.value === '' ? undefined : target.value)}
      />
    </Member>
  );
}
