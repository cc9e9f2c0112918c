import { ClockCircleOutlined, WarningOutlined } from '@ant-design/icons';
import { Tag, Tooltip } from 'antd';
import { Time, useNow, useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { Event } from './queries.ts';
import { words } from './words.ts';

/** From here on the clock of a camera is wrong, and not only a little ahead, ms. */
const AHEAD_MS = 5 * 60_000;
/** From here on an event came late: its site was away, or kept it back, ms. */
const LATE_MS = 60 * 60_000;

/** When an event occurred; what stands out of the order in which events came is marked. */
export function EventTime({
  event: { occurredAt, receivedAt, instance },
}: {
  event: Pick<Event, 'occurredAt' | 'receivedAt' | 'instance'>;
}) {
  const say = useWords(words);
  const text = useTimeText();
  const now = useNow();
  if (occurredAt === null)
    return (
      <Tooltip title={say('receivedOnly')}>
        <span>
          <Time at={receivedAt} site={instance} /> *
        </span>
      </Tooltip>
    );
  const [occurred, received] = [Date.parse(occurredAt), Date.parse(receivedAt)];
  return (
    <span className="event-time">
      <Time at={occurredAt} site={instance} />
      {occurred > now + AHEAD_MS && (
        <Tag color="warning" icon={<WarningOutlined />}>
          {say('future')}
        </Tag>
      )}
      {received - occurred > LATE_MS && (
        <Tooltip title={say('cameAt', { time: text.full(receivedAt, instance) })}>
          <Tag icon={<ClockCircleOutlined />}>{say('cameLate')}</Tag>
        </Tooltip>
      )}
    </span>
  );
}
