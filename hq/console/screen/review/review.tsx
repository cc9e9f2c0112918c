import { AuditOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button, Col, Empty, Flex, Image, Row, Skeleton } from 'antd';
import { type TouchEvent, useRef, useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { useFilters } from '../../list/filter.ts';
import { AsOf } from '../../page/fault.tsx';
import { Outcome } from '../../page/outcome.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from '../event/detail-words.ts';
import { EarlierEvents } from '../event/earlier/earlier.tsx';
import { isPicture } from '../event/evidence.ts';
import { JudgeDialog } from '../event/judge/dialog.tsx';
import { LargePicture } from '../event/picture.tsx';
import { type Event, useEvent } from '../event/queries.ts';
import { FilterBar } from './filter-bar.tsx';
import { reviewFilters } from './filters.ts';
import { rowKey, type UnjudgedRow, useUnjudged } from './queries.ts';
import { Queue, RowHead, STRIP, Strip } from './row.tsx';
import { words } from './words.ts';

/** What waits to be judged, picture by picture: alerts of one camera and type together after one look. */
export function Review() {
  const say = useWords(words);
  const { filters, change, clear } = useFilters(reviewFilters);
  const query = useUnjudged(filters);
  const { data } = query;
  // Beside the rows: the dialog stays until it is done, although its row has left.
  const [judged, judge] = useState<Judged | null>(null);
  const narrowed = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title={say('title')}
      under={
        data &&
        data.items.length > 0 &&
        say(data.more ? 'underMore' : 'under', { events: data.events, rows: data.rows })
      }
    >
      <FilterBar filters={filters} change={change} />
      <AsOf query={query} />
      {query.isPending && <Skeleton active />}
      {data?.items.length === 0 && (
        <Outcome
          kind="success"
          title={say(narrowed ? 'nothingFits' : 'nothing')}
          actions={narrowed && <Button onClick={clear}>{say('title')}</Button>}
        />
      )}
      {data && data.items.length > 0 && <Rows rows={data.items} total={data.rows} judge={judge} />}
      <JudgeDialog event={judged?.event ?? null} others={judged?.others ?? []} close={() => judge(null)} />
    </Page>
  );
}

/** What somebody began to judge: one event, and the others of its row. */
interface Judged {
  event: Event;
  others: readonly number[];
}

/** One row after another. A row that is judged, by whomever, makes room for the next at its place. */
function Rows({
  rows,
  total,
  judge,
}: {
  rows: readonly UnjudgedRow[];
  /** Also those that are not listed. */
  total: number;
  judge: (begun: Judged) => void;
}) {
  const say = useWords(words);
  const [here, go] = useState<{ key: string; index: number }>({ key: '', index: 0 });
  const found = rows.findIndex((row) => rowKey(row) === here.key);
  const index = found >= 0 ? found : Math.min(here.index, rows.length - 1);
  const row = rows[index];
  const move = (by: number): void => {
    const next = rows[index + by];
    if (next) go({ key: rowKey(next), index: index + by });
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  const swipe = useSwipe(move);
  if (!row) return null;
  return (
    <Row gutter={[16, 16]}>
      <Col xs={24} xl={17} {...swipe}>
        <Flex vertical gap="middle">
          <Flex gap="small" wrap align="center">
            <Button icon={<LeftOutlined />} disabled={index === 0} onClick={() => move(-1)}>
              {say('previous')}
            </Button>
            <span role="status">{say('place', { at: index + 1, rows: total })}</span>
            <Button disabled={index === rows.length - 1} onClick={() => move(1)}>
              {say('next')} <RightOutlined />
            </Button>
            <span className="quiet keys">{say('keysHint')}</span>
          </Flex>
          <OneRow
            key={rowKey(row)}
            row={row}
            judge={(begun) => {
              go({ key: rowKey(row), index });
              judge(begun);
            }}
          />
        </Flex>
      </Col>
      <Col xs={24} xl={7}>
        <Queue rows={rows} at={index} go={(next) => move(next - index)} />
      </Col>
    </Row>
  );
}

function OneRow({ row, judge }: { row: UnjudgedRow; judge: (begun: Judged) => void }) {
  const [id, look] = useState(row.ids[0] ?? null);
  // What was looked at may have been judged meanwhile.
  const shown = id !== null && row.ids.includes(id) ? id : (row.ids[0] ?? null);
  const event = useEvent(shown);
  if (!event.data) return event.isPending ? <Skeleton active /> : <AsOf query={event} />;
  return (
    <>
      <RowHead row={row} event={event.data} action={<Judge event={event.data} row={row} judge={judge} />} />
      <Shown event={event.data} />
      {row.ids.length > 1 && <Strip ids={row.ids} shown={shown} look={look} />}
      <EarlierEvents key={event.data.id} event={event.data} />
    </>
  );
}

/** Pictures of one event that are shown one below the other; the rest stand on its page. */
const PICTURES = 3;

function Shown({ event }: { event: Event }) {
  const say = useWords(detailWords);
  const pictures = (event.evidence ?? []).filter(isPicture).slice(0, PICTURES);
  if (pictures.length === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('noPictures')} />;
  return (
    <Image.PreviewGroup>
      {pictures.map(({ name }) => (
        <LargePicture key={`${event.id} ${name}`} event={event} name={name} />
      ))}
    </Image.PreviewGroup>
  );
}

function Judge({
  event,
  row: { ids },
  judge,
}: {
  event: Event;
  row: UnjudgedRow;
  judge: (begun: Judged) => void;
}) {
  const say = useWords(words);
  const { can } = useSession();
  const open = (): void => judge({ event, others: ids.slice(0, STRIP).filter((id) => id !== event.id) });
  const mayJudge = can('events.judge');
  useKeys(mayJudge ? { v: open } : {});
  if (!mayJudge) return null;
  return (
    <Button type="primary" size="large" icon={<AuditOutlined />} onClick={open}>
      {say('judge')} <kbd className="keys">v</kbd>
    </Button>
  );
}

/** A finger that goes further than this to one side goes on, px. */
const SWIPE = 70;

function useSwipe(move: (by: number) => void) {
  const began = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent): void => {
      const touch = touches.item(0);
      began.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent): void => {
      const touch = changedTouches.item(0);
      if (!touch || !began.current) return;
      const [dx, dy] = [touch.clientX - began.current.x, touch.clientY - began.current.y];
      if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) move(dx < 0 ? 1 : -1);
    },
  };
}
