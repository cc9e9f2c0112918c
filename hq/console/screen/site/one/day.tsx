import { Col, Row } from 'antd';
import { useMemo } from 'react';
import { Chart } from '../../../chart/chart.tsx';
import { Nothing } from '../../../page/page.tsx';
import { useTimeText } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { bytes, number } from '../../../word/number.ts';
import type { SiteDetail } from '../queries.ts';
import { words } from './words.ts';

const HOUR_MS = 3_600_000;
/** More than a site tells: a wrong time must not make a chart without end. */
const MOST_HOURS = 48;
type Hours = NonNullable<SiteDetail['hours']>;

/** The last day of the site by hours, as it told: what came, what waited, how much room there was. */
export function LastDay({ instance, hours }: { instance: string; hours: SiteDetail['hours'] }) {
  const say = useWords(words);
  const text = useTimeText();
  const { language } = useLanguage();
  const shown = useMemo(() => withGaps(hours ?? []), [hours]);
  if (shown.length === 0) return <Nothing none={say('dayNone')} />;
  const labels = shown.map(({ at }) => text.clock(at, instance).slice(0, 5));
  const count = (value: number): string => number(value, language);
  const charts = [
    { key: 'perHour', kind: 'bar', values: shown.map(({ received }) => received), format: count },
    { key: 'backlog', kind: 'line', values: shown.map(({ backlog }) => backlog), format: count },
    {
      key: 'room',
      kind: 'line',
      values: shown.map(({ roomBytes }) => roomBytes),
      format: (value: number) => bytes(value, language),
    },
  ] as const;
  return (
    <Row gutter={[24, 16]}>
      {charts.map(({ key, kind, values, format }) => (
        <Col key={key} xs={24} lg={12}>
          <Chart
            title={say(key)}
            labels={labels}
            labelTitle={say('hour')}
            kind={kind}
            series={[{ name: say(key), values }]}
            format={format}
          />
        </Col>
      ))}
    </Row>
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
