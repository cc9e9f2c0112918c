import { Link } from '@tanstack/react-router';
import { Card, Flex } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useCalls } from '../call/queries.ts';
import { TakenTag } from '../call/taking.tsx';
import { useCameraName } from '../camera/name.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { SmallPicture } from '../event/picture.tsx';
import { type Event, useEvent } from '../event/queries.ts';
import { useTypeName } from '../event/type-name.tsx';
import { useSiteName } from '../site/name.tsx';
import { rowKey, type UnjudgedRow } from './queries.ts';
import { words } from './words.ts';

/** What somebody who judges a row must know of it. */
export function RowHead({ row, event, action }: { row: UnjudgedRow; event: Event; action: ReactNode }) {
  const say = useWords(words);
  const siteName = useSiteName();
  const named = useTypeName(row.tenantCode)(row.type);
  const cameraName = useCameraName();
  const { instance, pointRef, siteRef, title } = event;
  return (
    <Flex gap="middle" wrap justify="space-between" align="center">
      <Flex vertical gap={4}>
        <Flex gap="small" wrap align="center">
          <SeverityTag severity={event.severity} />
          <strong>{title ?? named}</strong>
          <TakenTag call={useCalls([event.id]).data?.get(event.id)} />
          {row.count > 1 && (
            <span>
              {say('count', { count: row.count })} · {say('since')}{' '}
              <Time at={row.firstAt} site={instance} ago />
            </span>
          )}
        </Flex>
        <span className="quiet">
          {[named, cameraName(event), pointRef ?? siteRef, siteName(instance)].filter(Boolean).join(' · ')}
        </span>
        <span className="quiet">
          <Time at={event.occurredAt ?? event.receivedAt} site={instance} />{' '}
          <Link to="/events/$id" params={{ id: String(event.id) }}>
            {say('open')}
          </Link>
        </span>
      </Flex>
      {action}
    </Flex>
  );
}

/** Pictures that are looked at one after another; what is not among them is not judged with them. */
export const STRIP = 12;

export function Strip({
  ids,
  shown,
  look,
}: {
  ids: readonly number[];
  shown: number | null;
  look: (id: number) => void;
}) {
  const say = useWords(words);
  return (
    <Flex gap="small" className="earlier-row" role="group" aria-label={say('others')}>
      {ids.slice(0, STRIP).map((id) => (
        <button
          key={id}
          type="button"
          className={id === shown ? 'strip-one strip-here' : 'strip-one'}
          aria-pressed={id === shown}
          onClick={() => look(id)}
        >
          <StripPicture id={id} />
        </button>
      ))}
    </Flex>
  );
}

function StripPicture({ id }: { id: number }) {
  const event = useEvent(id);
  if (!event.data) return <div className="small-picture" />;
  return (
    <>
      <SmallPicture event={event.data} />
      <Time at={event.data.occurredAt ?? event.data.receivedAt} site={event.data.instance} ago />
    </>
  );
}

/** The rows by name, for who looks for one. */
export function Queue({
  rows,
  at,
  go,
}: {
  rows: readonly UnjudgedRow[];
  at: number;
  go: (index: number) => void;
}) {
  const say = useWords(words);
  return (
    <Card size="small" title={say('queue')}>
      <Flex vertical gap={4} className="queue">
        {rows.map((row, index) => (
          <QueueLine key={rowKey(row)} row={row} here={index === at} go={() => go(index)} />
        ))}
      </Flex>
    </Card>
  );
}

function QueueLine({ row, here, go }: { row: UnjudgedRow; here: boolean; go: () => void }) {
  const siteName = useSiteName();
  const cameraName = useCameraName();
  const named = useTypeName(row.tenantCode)(row.type);
  return (
    <button
      type="button"
      className={here ? 'queue-line queue-here' : 'queue-line'}
      aria-current={here}
      onClick={go}
    >
      <SeverityTag severity={row.severity} />
      <span className="wrap">
        {[named, cameraName(row), siteName(row.instance)].filter(Boolean).join(' · ')}
      </span>
      <span className="number">{row.count}</span>
    </button>
  );
}
