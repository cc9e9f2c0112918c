import { AutoComplete, Button, DatePicker, Flex, Form, Input, Radio } from 'antd';
import dayjs from 'dayjs';
import { timeNow } from '../../../api/clock.ts';
import type { DueChoice } from '../../../time/deadline.ts';
import { useTimeText } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import { useKnownOrganisations } from '../../task/known.ts';
import type { Event } from '../queries.ts';
import type { Judgement } from './judgement.ts';
import type { Proposal } from './proposal.ts';
import { sendWords } from './send-words.ts';

/** Organisations that are one tap away. */
const AT_HAND = 6;
const MINUTES: readonly DueChoice[] = ['15', '60'];

/**
 * Who is sent, by when, and what for, within a form of `Judgement`. What the rule and the type propose stands
 * there already; without an organisation nobody is sent.
 */
export function SendFields({ event, proposal }: { event: Event; proposal: Proposal }) {
  const say = useWords(sendWords);
  const text = useTimeText();
  const due = Form.useWatch<DueChoice | undefined>('due');
  const sent = Form.useWatch<string | undefined>('organisation');
  const minutes =
    MINUTES.includes(proposal.due) || proposal.due === 'today' ? MINUTES : [proposal.due, ...MINUTES];
  return (
    <>
      <Form.Item<Judgement>
        name="organisation"
        label={say('sendWhom')}
        initialValue={proposal.organisation}
        extra={say('nobodyHint')}
      >
        <OrganisationChoice tenant={event.tenantCode} />
      </Form.Item>
      {sent && (
        <>
          <Form.Item<Judgement> name="due" label={say('byWhen')} initialValue={proposal.due}>
            <Radio.Group
              optionType="button"
              options={[
                ...minutes.map((value) => ({ value, label: text.lasting(Number(value) * 60_000) })),
                { value: 'today', label: say('today') },
                { value: 'own', label: say('ownTime') },
              ]}
            />
          </Form.Item>
          {due === 'own' && (
            <Form.Item<Judgement>
              name="dueOwn"
              rules={[{ required: true, message: say('timeNeeded') }]}
              getValueProps={(value?: string) => ({ value: value === undefined ? null : dayjs(value) })}
              normalize={(value: dayjs.Dayjs | null) => value?.toISOString()}
            >
              <DatePicker
                showTime={{ format: 'HH:mm' }}
                format="YYYY-MM-DD HH:mm Z"
                minDate={dayjs(timeNow())}
                aria-label={say('ownTime')}
              />
            </Form.Item>
          )}
          <Form.Item<Judgement>
            name="errand"
            label={say('errand')}
            initialValue={proposal.errand}
            rules={[{ required: true, whitespace: true, message: say('errandNeeded') }]}
          >
            <Input maxLength={500} />
          </Form.Item>
        </>
      )}
    </>
  );
}

/** Those that are known are one tap away; another can be typed. */
function OrganisationChoice({
  tenant,
  value,
  onChange,
  id,
}: {
  tenant: string;
  /** These are given by the form. */
  value?: string;
  onChange?: (value: string | undefined) => void;
  id?: string;
}) {
  const say = useWords(sendWords);
  const known = useKnownOrganisations(tenant);
  return (
    <Flex vertical gap="small">
      {known.length > 0 && (
        <Flex gap={4} wrap role="group" aria-label={say('knownOnes')}>
          {known.slice(0, AT_HAND).map((one) => (
            <Button
              key={one}
              type={one === value ? 'primary' : 'default'}
              aria-pressed={one === value}
              onClick={() => onChange?.(one === value ? undefined : one)}
            >
              {one}
            </Button>
          ))}
        </Flex>
      )}
      <AutoComplete
        {...(id === undefined ? {} : { id })}
        value={value ?? ''}
        onChange={(typed: string | undefined) => onChange?.(typed?.trim() || undefined)}
        options={known.map((one) => ({ value: one }))}
        showSearch={{ filterOption: (typed, option) => option?.value.includes(typed) ?? false }}
        placeholder={say('organisation')}
        maxLength={128}
        allowClear
      />
    </Flex>
  );
}
