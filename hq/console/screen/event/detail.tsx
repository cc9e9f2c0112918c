import { AuditOutlined, EditOutlined, LeftOutlined } from '@ant-design/icons';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { App, Button, Col, Collapse, Flex, Row, Skeleton } from 'antd';
import { useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { AsOf } from '../../page/fault.tsx';
import { useIdParam } from '../../page/id-param.ts';
import { NotFound, Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { Taking } from '../call/taking.tsx';
import { Course } from './course.tsx';
import { detailWords } from './detail-words.ts';
import { EarlierEvents } from './earlier/earlier.tsx';
import { Facts } from './facts.tsx';
import { Groups } from './groups.tsx';
import { JudgeDialog } from './judge/dialog.tsx';
import { verdictWords } from './judge/verdict-words.ts';
import { Pictures } from './pictures.tsx';
import { type Event, fetchUnjudged, useEvent, useTimeline } from './queries.ts';
import { Heard } from './response/heard.tsx';
import { Response } from './response/response.tsx';
import { EventTasks } from './tasks.tsx';
import { useTypeName } from './type-name.tsx';
import { Why } from './why.tsx';
import { words } from './words.ts';

/** How was one event handled? */
export function EventDetail() {
  const say = useWords(words);
  const id = useIdParam();
  const event = useEvent(id);
  if (id === null) return <NotFound />;
  if (!event.data)
    return (
      <Page title={say('number', { id })}>
        {event.isPending ? <Skeleton active /> : <AsOf query={event} />}
      </Page>
    );
  return <Loaded key={id} event={event.data} query={event} />;
}

function Loaded({ event, query }: { event: Event; query: ReturnType<typeof useEvent> }) {
  const say = useWords(words);
  const { can } = useSession();
  const timeline = useTimeline(event);
  const named = useTypeName(event.tenantCode)(event.type);
  const title = event.title ?? named;
  return (
    <Page title={title} under={say('number', { id: event.id })} actions={<Actions event={event} />}>
      <AsOf query={query} />
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={14}>
          <Flex vertical gap="middle">
            <Pictures id={event.id} instance={event.instance} alt={title} />
            <Taking event={event} />
            <AsOf query={timeline} />
            {timeline.data && <Response event={event} timeline={timeline.data} />}
            {timeline.data && <Course timeline={timeline.data} />}
          </Flex>
        </Col>
        <Col xs={24} xl={10}>
          <Flex vertical gap="middle">
            <EarlierEvents event={event} />
            <Facts event={event} steps={timeline.data?.steps ?? []} />
            {timeline.data && <Heard event={event} timeline={timeline.data} />}
            {timeline.data && <EventTasks event={event} tasks={timeline.data.tasks} />}
            {can('incidents.manage') && <Groups id={event.id} site={event.instance} />}
            {can('rules.view') && <Why id={event.id} />}
          </Flex>
        </Col>
      </Row>
      <Raw event={event} />
    </Page>
  );
}

function Actions({ event }: { event: Event }) {
  const say = useWords(detailWords);
  const sayVerdict = useWords(verdictWords);
  const { can } = useSession();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const { history } = useRouter();
  // As it is when the dialog opens: what is polled meanwhile makes nothing else of it.
  const [judged, judge] = useState<Event | null>(null);
  const open = (): void => judge(event);
  const close = (): void => judge(null);
  const back = (): void => {
    if (history.canGoBack()) history.back();
    else void navigate({ to: '/events' });
  };
  const mayJudge = can('events.judge');
  useKeys({ ...(mayJudge ? { v: open } : {}), Escape: back });
  const next = async (): Promise<void> => {
    const { items } = await fetchUnjudged(2);
    const following = items.find(({ id }) => id !== event.id);
    close();
    if (following) await navigate({ to: '/events/$id', params: { id: String(following.id) }, replace: true });
    else void message.info(sayVerdict('noneLeft'));
  };
  const correcting = event.verdict !== null;
  return (
    <>
      <Button icon={<LeftOutlined />} onClick={back}>
        {say('back')}
      </Button>
      {mayJudge && (
        <Button type="primary" icon={correcting ? <EditOutlined /> : <AuditOutlined />} onClick={open}>
          {sayVerdict(correcting ? 'correct' : 'judge')} <kbd className="keys">v</kbd>
        </Button>
      )}
      <JudgeDialog event={judged} close={close} next={() => void next()} />
    </>
  );
}

function Raw({ event }: { event: Event }) {
  const say = useWords(detailWords);
  const children = <pre className="raw">{JSON.stringify(event, null, 2)}</pre>;
  return <Collapse size="small" items={[{ key: 'raw', label: say('raw'), children }]} />;
}
