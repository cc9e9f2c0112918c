import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { timeNow } from '../api/clock.ts';
import { useWords } from '../word/language.tsx';
import { Settled } from './settled.tsx';
import { words } from './words.ts';

/** ISO moments; absent: without that end. */
export interface Span {
  since?: string | undefined;
  until?: string | undefined;
}

/** Asked when it is chosen. */
const last = (hours: number) => (): [dayjs.Dayjs, null] => [dayjs(timeNow()).subtract(hours, 'hour'), null];

/** In the time of this browser, as the picker shows it. @param label what of a row the time is */
export function Period({
  span: { since, until },
  change,
  label,
}: {
  span: Span;
  change: (span: { since: string | undefined; until: string | undefined }) => void;
  label?: string;
}) {
  const say = useWords(words);
  return (
    <Settled className="filter-period" label={label ?? say('time')}>
      <DatePicker.RangePicker
        showTime={{ format: 'HH:mm' }}
        format="YYYY-MM-DD HH:mm Z"
        allowEmpty={[true, true]}
        className="filter-period"
        aria-label={label ?? say('time')}
        placeholder={[say('from'), say('until')]}
        value={[since === undefined ? null : dayjs(since), until === undefined ? null : dayjs(until)]}
        presets={[
          { label: say('lastHour'), value: last(1) },
          { label: say('lastDay'), value: last(24) },
          { label: say('lastWeek'), value: last(7 * 24) },
          { label: say('lastMonth'), value: last(30 * 24) },
        ]}
        onChange={(range) => change({ since: range?.[0]?.toISOString(), until: range?.[1]?.toISOString() })}
      />
    </Settled>
  );
}
