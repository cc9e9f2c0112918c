import { ExperimentOutlined, WarningOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Card, Descriptions, Flex, Tag } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useCameraName } from '../camera/name.tsx';
import { RenameCamera } from '../camera/rename.tsx';
import { usePlansOf } from '../plan/queries.ts';
import { useSiteName } from '../site/name.tsx';
import { detailWords } from './detail-words.ts';
import { EventTime } from './event-time.tsx';
import { SeverityTag, VerdictTag } from './labels.tsx';
import type { Event, Step } from './queries.ts';
import { useTypeName } from './type-name.tsx';
import { words } from './words.ts';

/** What the event is, and how it was judged, by whom and when. */
export function Facts({ event, steps }: { event: Event; steps: readonly Step[] }) {
  const say = useWords(words);
  const sayDetail = useWords(detailWords);
  const siteName = useSiteName();
  const { instance, siteRef, tenantCode, occurredAt, receivedAt } = event;
  const called = useCameraName()(event);
  const camera = [...new Set([called, event.cameraRef])].filter(Boolean).join(' · ');
  const lines: [string, ReactNode][] = [
    [say('severity'), <SeverityTag key="severity" severity={event.severity} />],
    [say('verdict'), <Judgements key="verdict" event={event} steps={steps} />],
    [sayDetail('occurred'), occurredAt !== null && <EventTime key="occurred" event={event} />],
    [sayDetail('received'), <Received key="received" event={event} at={receivedAt} />],
    [say('type'), <TypeTag key="type" event={event} />],
    [say('source'), say(event.source)],
    [say('camera'), camera && <Camera key="camera" event={event} named={camera} />],
    [say('site'), [nameWithId(siteName(instance), instance), siteRef].filter(Boolean).join(' · ')],
    [sayDetail('point'), event.pointRef],
    [say('tenant'), tenantCode],
    [sayDetail('alertNo'), event.localAlertNo],
    [sayDetail('description'), event.description],
    [sayDetail('modelSays'), event.judged && <Model event={event} judged={event.judged} />],
  ];
  const items = lines
    .filter(([, children]) => children !== undefined && children !== '' && children !== false)
    .map(([label, children]) => ({ key: label, label, children: <div className="wrap">{children}</div> }));
  const mark = event.isTest && (
    <Tag icon={<ExperimentOutlined />} color="processing">
      {sayDetail('testEvent')}
    </Tag>
  );
  return (
    <Card size="small" title={sayDetail('facts')} extra={mark}>
      <Descriptions column={1} size="small" items={items} />
    </Card>
  );
}

const nameWithId = (name: string, id: string): string => (name === id ? id : `${name} (${id})`);

/** With the plans on which it stands. */
function Camera({ event: { tenantCode, instance, cameraRef }, named }: { event: Event; named: string }) {
  const say = useWords(detailWords);
  const { data: plans = [] } = usePlansOf(tenantCode, instance, cameraRef ?? null);
  return (
    <Flex gap="small" wrap>
      <span>{named}</span>
      {cameraRef !== undefined && <RenameCamera camera={{ tenantCode, instance, cameraRef }} />}
      {plans.map(({ id, name }) => (
        <Link key={id} to="/plans" search={{ site: instance, plan: id }}>
          {say('onPlan', { name })}
        </Link>
      ))}
    </Flex>
  );
}

/** What the type is called, with its code. */
function TypeTag({ event: { type, tenantCode } }: { event: Event }) {
  const named = useTypeName(tenantCode)(type);
  return (
    <Flex gap="small" wrap>
      {named !== type && <span>{named}</span>}
      <Tag>{type}</Tag>
    </Flex>
  );
}

function Received({ event: { clockSuspect, instance }, at }: { event: Event; at: string }) {
  const say = useWords(detailWords);
  return (
    <Flex gap="small" wrap>
      <Time at={at} site={instance} />
      {clockSuspect === true && (
        <Tag color="warning" icon={<WarningOutlined />}>
          {say('clockSuspect')}
        </Tag>
      )}
    </Flex>
  );
}

function Model({ event, judged }: { event: Event; judged: NonNullable<Event['judged']> }) {
  const say = useWords(detailWords);
  const typeName = useTypeName(event.tenantCode);
  const { type, confidence, by, modelVersion, text } = judged;
  const parts = [
    type === undefined ? undefined : typeName(type),
    confidence === undefined ? undefined : say('confidence', { value: confidence }),
    [by, modelVersion].filter(Boolean).join(' '),
    text,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The verdict and its corrections, each with who, when and why. */
function Judgements({ event, steps }: { event: Event; steps: readonly Step[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const given = steps.filter(({ kind }) => kind === 'verdict');
  return (
    <Flex vertical gap="small">
      <VerdictTag event={event} />
      {given.map(({ source, by, at, basis, text, textZh }) => (
        <div key={`${source.table} ${source.key}`}>
          <div>{language === 'zh' ? textZh : text}</div>
          <Flex gap="small" wrap className="quiet">
            <bdi>{by}</bdi>
            {basis && <Tag>{say(basis)}</Tag>}
            <Time at={at} site={event.instance} />
          </Flex>
        </div>
      ))}
    </Flex>
  );
}
