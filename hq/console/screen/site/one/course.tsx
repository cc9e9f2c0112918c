import { Alert, Col, Row } from 'antd';
import { useMemo } from 'react';
import { Chart } from '../../../chart/chart.tsx';
import { AsOf } from '../../../page/fault.tsx';
import { Nothing } from '../../../page/nothing.tsx';
import { useTimeText } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { bytes, number } from '../../../word/number.ts';
import { type SiteDetail, useHours } from '../queries.ts';
import { words } from './words.ts';

const HOUR_MS = 3_600_000;
/** More than a site tells: a wrong time must not make a chart without end. */
const MOST_HOURS = 9 * 24;
/** Hours from which on the curves say something. */
const FULL_DAY = 24;
type Hours = NonNullable<SiteDetail['hours']>;

/** The last day of the site by hours, and beside it the last week: what came, what waited, how much room. */
export function Course({ instance, day }: { instance: string; day: SiteDetail['hours'] }) {
  const say = useWords(words);
  const text = useTimeText();
  const { language } = useLanguage();
  const week = useHours(instance);
  const spans = useMemo(
    () => [
      { name: 'inDay' as const, hours: withGaps(day ?? []), from: 11, to: 16 },
      { name: 'inWeek' as const, hours: withGaps(week.data ?? []), from: 5, to: 16 },
    ],
    [day, week.data],
  );
  if (spans.every(({ hours }) => hours.length === 0) && !week.isPending)
    return week.error ? <AsOf query={week} /> : <Nothing none={say('dayNone')} />;
  // Of the week, or of the day where that has not come yet.
  const known = Math.max(...spans.map(({ hours }) => hours.length));
  const count = (value: number): string => number(value, language);
  const size = (value: number): string => bytes(value, language);
  const charts = [
    { key: 'perHour', kind: 'bar', of: 'received', format: count },
    { key: 'backlog', kind: 'line', of: 'backlog', format: count },
    { key: 'room', kind: 'line', of: 'roomBytes', format: size },
  ] as const;
  return (
    <>
      <AsOf query={week} />
      {known < FULL_DAY && <Alert type="info" showIcon title={say('fewHours', { count: known })} />}
      <Row gutter={[24, 16]}>
        {charts.flatMap(({ key, kind, of, format }) =>
          spans.map(({ name, hours, from, to }) => (
            <Col key={`${key} ${name}`} xs={24} lg={12}>
              <Chart
                title={say(name, { what: say(key) })}
                labels={hours.map(({ at }) => text.full(at, instance).slice(from, to))}
                labelTitle={say('hour')}
                kind={kind}
                series={[{ name: say(key), values: hours.map((hour) => hour[of]) }]}
                format={format}
              />
            </Col>
          )),
        )}
      </Row>
    </>
  );
}

/** One for each hour from the first to the last; null figures where the site did not run. */
function withGaps(hours: Hours) {
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return [];
  const told = new Map(hours.map((hour) => [Date.parse(hour.at), hour]));
  const length = Math.round((Date.parse(last.at) - Date.parse(first.at)) / HOUR_MS) + 1;
  return Array.from({ length: Math.min(length, MOST_HOURS) }, (_, index) => {
    const at = Date.parse(first.at) + index * HOUR_MS;
    const { received = null, backlog = null, roomBytes = null } = told.get(at) ?? {};
    return { at, received, backlog, roomBytes };
  });
}
