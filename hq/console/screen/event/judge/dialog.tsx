import { Button, Flex, Form, Modal, Typography } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { NoAnswer } from '../../../api/fault.ts';
import { Overtaken } from '../../../page/overtaken.tsx';
import { Time, useTimeText } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import { useCameraName } from '../../camera/name.tsx';
import { useSiteName } from '../../site/name.tsx';
import { SeverityTag } from '../labels.tsx';
import { SmallPicture } from '../picture.tsx';
import type { Event } from '../queries.ts';
import { useTypeName } from '../type-name.tsx';
import { words } from '../words.ts';
import { Consequences, Others } from './consequences.tsx';
import { DraftNotice, useJudgementDraft } from './draft-notice.tsx';
import { JudgeFields } from './fields.tsx';
import { useFollowUp } from './follow-up.ts';
import type { Judgement } from './judgement.ts';
import { type Given, lastOf, useAim } from './judgements.ts';
import { useJudge } from './judging.ts';
import { Parts } from './parts.tsx';
import { useProposal } from './proposal.ts';
import { verdictWords } from './verdict-words.ts';

/**
 * Judges an event, or corrects its verdict: which of them is settled when it opens. What others decide
 * meanwhile is told in it, and turns nothing into something else. No single key decides: a verdict is chosen,
 * and Ctrl+Enter sends.
 * @param event as it was when the dialog was opened; null: it is closed
 * @param others ids of unjudged events that the same look may judge
 * @param next goes on to another event after it was recorded; absent: there is none
 */
export function JudgeDialog({
  event,
  others = [],
  close,
  next,
}: {
  event: Event | null;
  others?: readonly number[];
  close: () => void;
  next?: (() => void) | undefined;
}) {
  return event && <Judging key={event.id} event={event} others={others} close={close} next={next} />;
}

function Judging({
  event,
  others,
  close,
  next,
}: {
  event: Event;
  others: readonly number[];
  close: () => void;
  next: (() => void) | undefined;
}) {
  const say = useWords(verdictWords);
  const aim = useAim(event);
  const { correcting, newer } = aim;
  const [form] = Form.useForm<Judgement>();
  const [goOn, setGoOn] = useState(false);
  const { proposal, errands } = useProposal(event);
  const draft = useJudgementDraft(event, form);
  const leave = goOn && next ? next : close;
  const followUp = useFollowUp(event, { errands, others }, leave);
  const judging = useJudge({
    event,
    aim,
    recorded: (judgement) => {
      draft.drop();
      followUp.run(judgement);
    },
  });
  const follows = correcting ? undefined : next;
  const ready = newer === null && aim.ready && followUp.parts === null;
  const send = (further: boolean): void => {
    if (!ready) return;
    setGoOn(further);
    form.submit();
  };
  const pressed = (key: KeyboardEvent): void => {
    if (key.key !== 'Enter' || !(key.ctrlKey || key.metaKey)) return;
    key.preventDefault();
    send(key.shiftKey && follows !== undefined);
  };
  return (
    <Modal
      open
      onCancel={close}
      footer={null}
      title={say(correcting ? 'correctTitle' : 'judgeTitle', { id: event.id })}
      width={620}
    >
      <Flex vertical gap="middle" onKeyDown={pressed}>
        <EventHead event={event} />
        {followUp.parts !== null && (
          <Parts
            parts={followUp.parts}
            pending={followUp.pending}
            again={() => followUp.run(form.getFieldsValue(true) as Judgement)}
            leave={leave}
          />
        )}
        {followUp.parts === null && correcting && <Standing aim={aim} event={event} />}
        {followUp.parts === null && newer !== null && (
          <FirstAlert event={event} newer={newer} leave={close} correct={aim.correctKnowingly} />
        )}
        <div hidden={followUp.parts !== null}>
          <DraftNotice draft={draft} away={judging.error instanceof NoAnswer} />
          <Form
            form={form}
            layout="vertical"
            onFinish={judging.run}
            onValuesChange={(_, all) => draft.keep(all)}
            disabled={judging.pending || newer !== null}
          >
            <JudgeFields correcting={correcting}>
              <Others count={others.length} />
              <Consequences event={event} proposal={proposal} errands={errands} />
            </JudgeFields>
          </Form>
        </div>
        {newer === null && followUp.parts === null && (
          <Sending
            close={close}
            send={send}
            follows={follows !== undefined}
            pending={judging.pending}
            ready={ready}
          />
        )}
      </Flex>
    </Modal>
  );
}

function Sending({
  close,
  send,
  follows,
  pending,
  ready,
}: {
  close: () => void;
  /** @param further goes on to the next event */
  send: (further: boolean) => void;
  follows: boolean;
  pending: boolean;
  ready: boolean;
}) {
  const say = useWords(verdictWords);
  return (
    <Flex gap="small" wrap justify="end">
      <Button onClick={close}>{say('cancel')}</Button>
      <Button
        type={follows ? 'default' : 'primary'}
        loading={pending}
        disabled={!ready}
        onClick={() => send(false)}
      >
        {say('send')} <span className="keys">(Ctrl+Enter)</span>
      </Button>
      {follows && (
        <Button type="primary" loading={pending} onClick={() => send(true)}>
          {say('sendNext')} <span className="keys">(Ctrl+Shift+Enter)</span>
        </Button>
      )}
    </Flex>
  );
}

/** What a correction corrects: the judgement that its writer has seen. */
function Standing({ aim: { seen }, event }: { aim: ReturnType<typeof useAim>; event: Event }) {
  const say = useWords(verdictWords);
  const sayWord = useWords(words);
  const last = lastOf(seen);
  if (!last) return null;
  return (
    <span className="wrap">
      {say('standsNow', { verdict: sayWord(last.verdict), who: last.by })}{' '}
      <span className="quiet">
        <Time at={last.at} site={event.instance} />
      </span>
    </span>
  );
}

/** Who judged while the dialog was open, when and what. @param correct goes on with what was typed */
function FirstAlert({
  event,
  newer: { by, at, verdict, note, corrects },
  leave,
  correct,
}: {
  event: Event;
  newer: Given;
  leave: () => void;
  correct: () => void;
}) {
  const say = useWords(verdictWords);
  const sayWord = useWords(words);
  const text = useTimeText();
  const particulars = { who: by, at: text.full(at, event.instance), verdict: sayWord(verdict) };
  return (
    <Overtaken
      title={say(corrects ? 'firstCorrected' : 'first', particulars)}
      leave={leave}
      goOn={{ word: say('correctIt'), act: correct }}
    >
      {note !== null && <bdi className="wrap quiet">{note}</bdi>}
    </Overtaken>
  );
}

/** What somebody who judges an event must know of it. */
function EventHead({ event }: { event: Event }) {
  const { title, type, description, instance, tenantCode } = event;
  const camera = useCameraName()(event);
  const named = useTypeName(tenantCode)(type);
  const siteName = useSiteName();
  return (
    <Flex gap="middle" align="start" wrap className="event-head">
      <SmallPicture event={event} />
      <Flex vertical gap={4} className="event-head-text">
        <Flex gap="small" wrap>
          <SeverityTag severity={event.severity} />
          <Time at={event.occurredAt ?? event.receivedAt} site={instance} />
        </Flex>
        <strong>{title ?? named}</strong>
        <span className="quiet">{[named, camera, siteName(instance)].filter(Boolean).join(' · ')}</span>
        {description !== undefined && (
          <Typography.Paragraph ellipsis={{ rows: 3, tooltip: description }} style={{ margin: 0 }}>
            {description}
          </Typography.Paragraph>
        )}
      </Flex>
    </Flex>
  );
}
