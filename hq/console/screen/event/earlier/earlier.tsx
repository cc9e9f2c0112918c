import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card, Flex, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import { AsOf } from '../../../page/fault.tsx';
import { useSession } from '../../../session/session.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { VerdictTag } from '../labels.tsx';
import { SmallPicture } from '../picture.tsx';
import { type Event, eventKey } from '../queries.ts';
import { useTypeName } from '../type-name.tsx';
import { earlierWords } from './words.ts';

type Earlier = Answer<'/api/core/events/{id}/earlier', 'get'>;
type Past = NonNullable<Earlier['camera']>;
type Around = 'camera' | 'place';

/** What its camera and its place brought before an event, and what else helps to judge it. */
export function EarlierEvents({ event }: { event: Event }) {
  const say = useWords(earlierWords);
  const [around, look] = useState<Around>('camera');
  const query = useQuery({
    queryKey: [...eventKey(event.id), 'earlier'],
    queryFn: () => answerOf(api.GET('/api/core/events/{id}/earlier', { params: { path: { id: event.id } } })),
    staleTime: 60_000,
  });
  const { data } = query;
  const known = (['camera', 'place'] as const).filter((one) => data?.[one]);
  const shown = known.includes(around) ? around : known[0];
  const past = shown && data?.[shown];
  return (
    <Card
      size="small"
      title={say('earlier')}
      extra={
        known.length > 1 && (
          <Segmented<Around>
            size="small"
            value={shown ?? around}
            onChange={look}
            options={known.map((value) => ({ value, label: say(value) }))}
          />
        )
      }
    >
      <AsOf query={query} />
      <Flex vertical gap="small">
        {query.isPending && <Skeleton active />}
        {past && data && <PastEvents past={past} days={data.days} event={event} around={shown} />}
        <Links event={event} />
      </Flex>
    </Card>
  );
}

function PastEvents({
  past,
  days,
  event,
  around,
}: {
  past: Past;
  days: number;
  event: Event;
  around: Around;
}) {
  const say = useWords(earlierWords);
  if (past.events === 0) return <span className="quiet">{say('none', { days })}</span>;
  const filter = around === 'camera' ? { camera: event.cameraRef } : { place: event.siteRef };
  return (
    <>
      <Counts title={say('ofType')} counts={past.ofType} days={days} />
      <Counts title={say('ofAll')} counts={past} days={days} />
      {past.more && <span className="quiet">{say('newestOnly', { count: past.events })}</span>}
      <Flex gap="small" className="earlier-row" tabIndex={0} role="group" aria-label={say('earlier')}>
        {past.items.map((one) => (
          <Link key={one.id} to="/events/$id" params={{ id: String(one.id) }} className="earlier-one">
            <SmallPicture event={one} />
            <Time at={one.occurredAt ?? one.receivedAt} site={one.instance} ago />
            <VerdictTag event={one} />
          </Link>
        ))}
      </Flex>
      <Link to="/events" search={{ ...filter, site: event.instance }}>
        {say('all')}
      </Link>
    </>
  );
}

function Counts({
  title,
  counts: { events, judged, falseAlarms },
  days,
}: {
  title: string;
  counts: Past['ofType'];
  days: number;
}) {
  const say = useWords(earlierWords);
  const { language } = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return (
    <div className="wrap">
      <strong>{title}</strong>{' '}
      {say('counted', { days, count: number(events, language), judged: number(judged, language) })}
      {judged > 0 && (
        <>
          {' · '}
          {say('falseAlarms', {
            count: number(falseAlarms, language),
            percent: percent.format(falseAlarms / judged),
          })}
        </>
      )}
    </div>
  );
}

function Links({ event: { type, tenantCode, instance } }: { event: Event }) {
  const say = useWords(earlierWords);
  const { can } = useSession();
  const named = useTypeName(tenantCode)(type);
  return (
    <Flex vertical gap={4}>
      <Link to="/tasks" search={{ site: instance }}>
        {say('openTasks')}
      </Link>
      {can('policy.view') && (
        <Link to="/library" search={{ q: named }}>
          {say('clauses', { type: named })}
        </Link>
      )}
    </Flex>
  );
}
