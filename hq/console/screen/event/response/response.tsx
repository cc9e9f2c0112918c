import { Card, Flex, Steps } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { useCameraFault } from '../../camera/fault.ts';
import { Due } from '../../task/labels.tsx';
import { type CameraMessage, useJudged } from '../judge/judgements.ts';
import type { Event, Timeline } from '../queries.ts';
import { words } from '../words.ts';
import { responseWords } from './response-words.ts';

type Status = 'finish' | 'process' | 'wait' | 'error';
interface Step {
  key: string;
  title: string;
  status: Status;
  content: ReactNode;
}

/** How far the answer to the alarm is: judged, told to its camera, somebody sent, taken over, done. */
export function Response({ event, timeline }: { event: Event; timeline: Timeline }) {
  const say = useWords(responseWords);
  const items = [useVerdictStep(event), useCameraStep(event, timeline), ...useErrandSteps(event, timeline)];
  return (
    <Card size="small" title={say('response')}>
      {/* A screen reader tells of each step that changes, and not of times that go on. */}
      <div aria-live="polite">
        <Steps size="small" orientation="vertical" items={items.filter((one) => one !== null).map(still)} />
      </div>
    </Card>
  );
}

const still = (step: Step): Step =>
  step.content === null ? step : { ...step, content: <div aria-live="off">{step.content}</div> };

function useVerdictStep({ verdict, verdictBy, correctedTo, verdictAt, instance }: Event): Step {
  const say = useWords(responseWords);
  const sayWord = useWords(words);
  if (verdict === null) return { key: 'verdict', title: say('toJudge'), status: 'process', content: null };
  const standing = correctedTo ?? verdict;
  return {
    key: 'verdict',
    title: sayWord(standing),
    status: 'finish',
    content: (
      <Flex gap="small" wrap>
        {correctedTo !== null && <span>{say('corrected')}</span>}
        <bdi>{verdictBy}</bdi>
        {verdictAt !== null && <Time at={verdictAt} site={instance} />}
      </Flex>
    ),
  };
}

const TOLD: Record<CameraMessage['state'], { status: Status; word: 'heard' | 'telling' | 'notHeard' }> = {
  delivered: { status: 'finish', word: 'heard' },
  pending: { status: 'process', word: 'telling' },
  expired: { status: 'error', word: 'notHeard' },
};

/** null: its camera cannot be told. */
function useCameraStep(event: Event, { steps, undated }: Timeline): Step | null {
  const say = useWords(responseWords);
  const { language } = useLanguage();
  const why = useCameraFault();
  const judged = useJudged(event.id);
  if (event.feedbackUrl === undefined) return null;
  const step = { key: 'camera', content: null };
  if (event.verdict === null) return { ...step, title: say('cameraLater'), status: 'wait' };
  const down = [...steps, ...undated].find(({ source }) => source.table === 'decisions');
  if (down)
    return {
      ...step,
      title: say('telling'),
      status: 'process',
      content: language === 'zh' ? down.textZh : down.text,
    };
  const last = judged.data?.feedback.findLast(({ kind }) => kind === 'verdict' || kind === 'correction');
  if (!last) return { ...step, title: say('telling'), status: 'process' };
  const { status, word } = TOLD[last.state];
  if (last.deliveredAt !== null)
    return {
      ...step,
      title: say(word),
      status,
      content: <Time at={last.deliveredAt} site={event.instance} />,
    };
  // The class alone: what the operator is told beside it stands with the messages to the camera.
  const content = last.error !== null && <bdi className="wrap">{why(last.error.replace(/:.*$/s, ''))}</bdi>;
  // It was tried, and in vain so far.
  const tried = last.state === 'pending' && last.error !== null;
  return { ...step, title: say(tried ? 'notYet' : word), status, content };
}

/** Of the newest errand on the event. */
function useErrandSteps(event: Event, timeline: Timeline): Step[] {
  const say = useWords(responseWords);
  const { language } = useLanguage();
  const task = timeline.tasks.findLast(
    ({ type, state }) => (type === 'disposal' || type === 'rectification') && state !== 'cancelled',
  );
  if (!task) return [{ key: 'sent', title: say('nobodySent'), status: 'wait', content: null }];
  const { assigneeOrg, takenOverAt, takenOverBy, completedAt, title } = task;
  const orders = [...timeline.steps, ...timeline.undated].filter(
    ({ source }) => source.table === 'site_orders',
  );
  const at = (time: string | null) => time !== null && <Time at={time} site={event.instance} />;
  return [
    {
      key: 'sent',
      title: assigneeOrg === null ? say('errandOpen') : say('sent', { who: assigneeOrg }),
      status: orders.length > 0 ? 'process' : 'finish',
      content: (
        <>
          <div className="wrap">
            <bdi>{title}</bdi> <Due task={task} />
          </div>
          {orders.map((order) => (
            <div key={order.source.key} className="wrap">
              {language === 'zh' ? order.textZh : order.text}
            </div>
          ))}
        </>
      ),
    },
    {
      key: 'taken',
      title: takenOverAt === null ? say('notTaken') : say('taken', { who: takenOverBy ?? '' }),
      status: takenOverAt === null ? (task.overdue ? 'error' : 'process') : 'finish',
      content: at(takenOverAt),
    },
    {
      key: 'done',
      title: completedAt === null ? say('notDone') : say('done'),
      status: completedAt !== null ? 'finish' : takenOverAt === null ? 'wait' : 'process',
      content: at(completedAt),
    },
  ];
}
