import { RobotOutlined, UserOutlined } from '@ant-design/icons';
import { Alert, Card, Descriptions, Flex, Select, Tag, Timeline as Line } from 'antd';
import { useState } from 'react';
import { Time, useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import type { Timeline } from './queries.ts';
import { stepWords } from './step-words.ts';
import { words } from './words.ts';

type Entry = Timeline['undated'][number] & { at?: string };
type Kind = Entry['kind'];

/** What happened to the event, step by step, with how long it took. */
export function Course({ timeline }: { timeline: Timeline }) {
  const say = useWords(detailWords);
  const sayStep = useWords(stepWords);
  const [kinds, choose] = useState<Kind[]>([]);
  const all: Entry[] = [...timeline.steps, ...timeline.undated];
  const known = [...new Set(all.map(({ kind }) => kind))];
  const shown = kinds.length === 0 ? all : all.filter(({ kind }) => kinds.includes(kind));
  const site = timeline.event.provenance.instance;
  return (
    <Card
      size="small"
      title={say('timeline')}
      extra={
        <Select<Kind[]>
          mode="multiple"
          size="small"
          className="filter-choice"
          value={kinds}
          onChange={choose}
          placeholder={say('allKinds')}
          aria-label={say('kindFilter')}
          options={known.map((value) => ({ value, label: sayStep(value) }))}
        />
      }
    >
      <Flex vertical gap="middle">
        <Lasting timeline={timeline} />
        <Notices timeline={timeline} />
        <Line
          items={shown.map((entry) => ({
            key: `${entry.kind} ${entry.source.table} ${entry.source.key} ${entry.at ?? ''}`,
            color: entry.kind === 'escalated' ? 'red' : entry.kind === 'verdict' ? 'blue' : 'gray',
            content: <StepLine entry={entry} site={site} />,
          }))}
        />
      </Flex>
    </Card>
  );
}

function StepLine({ entry, site }: { entry: Entry; site: string }) {
  const say = useWords(detailWords);
  const sayStep = useWords(stepWords);
  const sayWord = useWords(words);
  const { language } = useLanguage();
  const times = useTimeText();
  const { kind, at, by, text, textZh, basis, notice, laterNote, machineGenerated } = entry;
  return (
    <div className="wrap">
      <Flex gap="small" wrap align="center">
        <Tag>{sayStep(kind)}</Tag>
        {at === undefined ? <span className="quiet">{say('undated')}</span> : <Time at={at} site={site} />}
        {by !== null && <bdi className="quiet">{by}</bdi>}
        {basis && (
          <Tag
            color={basis === 'machine' ? 'processing' : 'default'}
            icon={basis === 'machine' ? <RobotOutlined /> : <UserOutlined />}
          >
            {sayWord(basis)}
          </Tag>
        )}
        {machineGenerated === true && <Tag color="processing">{sayWord('machine')}</Tag>}
      </Flex>
      <bdi>{times.within(language === 'zh' ? textZh : text, site)}</bdi>
      {laterNote && <div className="quiet">{laterNote}</div>}
      {notice && <div className="quiet">{language === 'zh' ? notice.textZh : notice.text}</div>}
    </div>
  );
}

const DURATIONS = [
  ['received', 'toReceived'],
  ['verdict', 'toVerdict'],
  ['taskCreated', 'toTask'],
  ['takenOver', 'toTakenOver'],
  ['completed', 'toCompleted'],
  ['total', 'total'],
] as const;

function Lasting({ timeline: { durations, sla, event } }: { timeline: Timeline }) {
  const say = useWords(detailWords);
  const text = useTimeText();
  const items = DURATIONS.flatMap(([key, word]) => {
    const seconds = durations[key];
    return seconds === null ? [] : [{ key, label: say(word), children: text.lasting(seconds * 1000) }];
  });
  return (
    <>
      {items.length > 0 && <Descriptions size="small" column={{ xs: 1, sm: 2, md: 3 }} items={items} />}
      {sla && (
        <Alert
          type={sla.exceeded ? 'error' : 'success'}
          showIcon
          title={
            <>
              {say('sla')} <Time at={sla.deadline} site={event.provenance.instance} /> ·{' '}
              {say(sla.exceeded ? 'slaExceeded' : 'slaKept')}
            </>
          }
        />
      )}
    </>
  );
}

function Notices({ timeline: { truncated, withheld } }: { timeline: Timeline }) {
  const say = useWords(detailWords);
  const what = withheld.map((one) => say(one)).join(', ');
  return (
    <>
      {truncated && <Alert type="warning" showIcon title={say('truncated')} />}
      {withheld.length > 0 && <span className="quiet">{say('withheld', { what })}</span>}
    </>
  );
}
