import { Tag } from 'antd';
import { useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes } from '../../word/number.ts';
import type { SiteLine } from './queries.ts';
import { words } from './words.ts';

/** The way of a report takes its time, and cellular links are slow: less is not told apart from right, ms. */
const CLOCK_RIGHT_MS = 5_000;
/** Days. */
const SOON_FULL = 14;

/** Room on the disk, and in how many days it is full. */
export function DiskText({ report }: Pick<SiteLine, 'report'>) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (!report) return null;
  if (!report.storing) return <Tag color="error">{say('notStoring')}</Tag>;
  const { roomBytes, daysLeft } = report.disk;
  return (
    <span className="number">
      {roomBytes === null ? '' : bytes(roomBytes, language)}
      {daysLeft !== null && daysLeft <= SOON_FULL && (
        <>
          {' '}
          <Tag color="warning">{say('days', { count: daysLeft })}</Tag>
        </>
      )}
    </span>
  );
}

/** Whether the clock of the site is right, and otherwise by how much it is off. */
export function ClockText({ report }: Pick<SiteLine, 'report'>) {
  const say = useWords(words);
  const text = useTimeText();
  if (!report) return null;
  if (report.clockSuspect) return <Tag color="warning">{say('clockSuspect')}</Tag>;
  const offset = report.clockOffsetMs;
  if (offset === null || Math.abs(offset) < CLOCK_RIGHT_MS) return say('clockGood');
  const time = text.lasting(Math.abs(offset));
  return <Tag color="warning">{offset > 0 ? say('clockAhead', { time }) : say('clockBehind', { time })}</Tag>;
}
