import { Col, Flex, Row, Segmented } from 'antd';
import { useMemo } from 'react';
import { Chart } from '../../../chart/chart.tsx';
import { ExportButton } from '../../../csv/download.tsx';
import { useTimeText, useZones } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import type { Window } from '../queries.ts';
import {
  dayOf,
  type Hour,
  type ShiftPlan,
  shiftPlans,
  shiftsOf,
  type Standings,
  standings,
  stepsOf,
  totalOf,
  weekOf,
} from './fold.ts';
import { HeatMap } from './heat-map.tsx';
import { ShareTable } from './share-table.tsx';
import { courseWords } from './words.ts';

interface CourseProps {
  hours: readonly Hour[];
  span: Window;
  fileName: string;
  plan: ShiftPlan;
  choosePlan: (plan: ShiftPlan) => void;
}

/** How the events of a period lie in time. */
export function Course({ hours, span, fileName, plan, choosePlan }: CourseProps) {
  const say = useWords(courseWords);
  const { language } = useLanguage();
  const zone = useZones().of();
  const [steps, day, week] = useMemo(
    () => [stepsOf(hours, span, zone), dayOf(hours, zone), weekOf(hours, zone)],
    [hours, span, zone],
  );
  const series = (of: readonly Standings[]) =>
    standings.map((name) => ({ name: say(name), values: of.map((sums) => sums[name]) }));
  const format = (value: number): string => number(value, language);
  const byDays = steps[0]?.label.length === 10;
  return (
    <>
      <Flex gap="small" wrap align="center" justify="space-between">
        <span className="quiet">{say('zone', { zone })}</span>
        <HoursExport hours={hours} name={`${say('courseFile')}-${fileName}`} />
      </Flex>
      <Chart
        title={say(byDays ? 'byDay' : 'byHour')}
        kind="stack"
        labels={steps.map(({ label }) => label)}
        labelTitle={say(byDays ? 'day' : 'hour')}
        series={series(steps)}
        format={format}
      />
      <Row gutter={[24, 24]}>
        <Col xs={24} xxl={12}>
          <Chart
            title={say('ofDay')}
            kind="stack"
            labels={day.map((_, hour) => String(hour))}
            labelTitle={say('hour')}
            series={series(day)}
            format={format}
          />
        </Col>
        <Col xs={24} xxl={12}>
          <HeatMap week={week} />
        </Col>
      </Row>
      <section>
        <Flex gap="small" wrap align="center" justify="space-between">
          <strong>{say('byShift')}</strong>
          <Segmented<ShiftPlan>
            aria-label={say('shifts')}
            value={plan}
            onChange={choosePlan}
            options={shiftPlans.map((value) => ({ value, label: say(value) }))}
          />
        </Flex>
        <ShareTable
          rows={shiftsOf(day, plan)}
          rowKey={({ name }) => name}
          first={[{ key: 'shift', title: say('shift'), render: (_, { name }) => name }]}
        />
      </section>
    </>
  );
}

function HoursExport({ hours, name }: { hours: readonly Hour[]; name: string }) {
  const say = useWords(courseWords);
  const text = useTimeText();
  const read = () =>
    Promise.resolve({
      head: [say('hour'), say('events'), ...standings.map((one) => say(one))],
      rows: hours.map((hour) => [
        text.full(hour.at),
        totalOf(hour),
        ...standings.map((standing) => hour[standing]),
      ]),
      cut: false,
    });
  return <ExportButton label={say('export')} name={name} read={read} />;
}
