import { Card, Flex, Tag, Timeline } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { useStateName } from './labels.tsx';
import { usePushText } from './orders.tsx';
import type { TaskDetail } from './queries.ts';
import { words } from './words.ts';

type Move = TaskDetail['body']['history'][number];

interface Line {
  at: string;
  by: string;
  label: string;
  bad?: boolean;
  content: ReactNode;
}

/** Everything that was done to the task, the newest first, with who and when. */
export function Course({ task }: { task: TaskDetail }) {
  const say = useWords(detailWords);
  const lines = useLines(task);
  return (
    <Card size="small" title={say('course')}>
      <Timeline
        items={lines.map(({ at, by, label, bad, content }, index) => ({
          key: index,
          color: bad ? 'red' : 'blue',
          content: (
            <div className="wrap">
              <Flex gap="small" wrap align="center">
                <Tag color={bad ? 'error' : 'default'}>{label}</Tag>
                <Time at={at} site={task.instance} />
                <bdi className="quiet">{by}</bdi>
              </Flex>
              {content}
            </div>
          ),
        }))}
      />
    </Card>
  );
}

function useLines({ body: { history, steps, edge_notes: notes }, type, instance }: TaskDetail): Line[] {
  const say = useWords(detailWords);
  const sayKind = useStepKind();
  const pushText = usePushText();
  const nameOf = useStateName();
  const moved: Line[] = history.map((line) => ({
    at: line.at,
    by: line.by,
    label: say(line.action),
    bad: line.action === 'refused' || line.action === 'escalated',
    content: <Moved line={line} type={type} />,
  }));
  const recorded: Line[] = steps.map(({ at, by, kind, text, receivedAt, taskState }) => ({
    at,
    by,
    label: `${say('step')} · ${sayKind(kind)}`,
    content: (
      <>
        <bdi>{text}</bdi>
        {Math.abs(Date.parse(receivedAt) - Date.parse(at)) >= LATER_MS && (
          <div className="quiet">
            {say('receivedLater')} <Time at={receivedAt} site={instance} /> · {nameOf(taskState, type)}
          </div>
        )}
      </>
    ),
  }));
  const told: Line[] = notes.map(({ at, by, text, ...push }) => ({
    at,
    by,
    label: say('note'),
    content: (
      <>
        <bdi>{text}</bdi>
        <div className="quiet">{pushText(push)}</div>
      </>
    ),
  }));
  return [...moved, ...recorded, ...told].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** A step that was written down so much later says so. */
const LATER_MS = 60_000;

const KINDS = {
  arrive: 'arrive',
  measure: 'measure',
  result: 'stepResult',
  handover: 'handover',
  note: 'stepNote',
} as const;

function useStepKind() {
  const say = useWords(detailWords);
  return (kind: keyof typeof KINDS): string => say(KINDS[kind]);
}

function Moved({
  line: { action, from, to, note, resultCode },
  type,
}: {
  line: Move;
  type: TaskDetail['type'];
}) {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const nameOf = useStateName();
  const toName = nameOf(to, type);
  const fromName = from === null ? '' : nameOf(from, type);
  const what =
    action === 'refused'
      ? say('wouldMove', { from: fromName, to: toName })
      : action === 'transition'
        ? say('movedTo', { from: fromName, to: toName })
        : null;
  return (
    <>
      {what !== null && <div>{what}</div>}
      {resultCode !== null && (
        <div>
          {sayWord('result')}: {sayWord(resultCode)}
        </div>
      )}
      {note !== null && <bdi>{note}</bdi>}
    </>
  );
}
