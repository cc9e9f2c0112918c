import { Col, Row } from 'antd';
import { useMemo } from 'react';
import { Chart } from '../../chart/chart.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { useTypeName } from '../event/type-name.tsx';
import { words as eventWords } from '../event/words.ts';
import { words as knowledgeWords } from '../knowledge/words.ts';
import { words as taskWords } from '../task/words.ts';
import { type Bars, bars, type Counted, shortened } from './sums.ts';
import { words } from './words.ts';

/** The counts of two periods by what each group is, each chart with its table beside it. */
export function Charts({ tenant, now, before }: { tenant: string; now: Counted; before: Counted }) {
  const say = useWords(words);
  const event = useWords(eventWords);
  const task = useWords(taskWords);
  const knowledge = useKindName();
  const typeName = useTypeName(tenant);
  const { language } = useLanguage();
  const charts = useMemo((): {
    key: 'byType' | 'byVerdict' | 'byStanding' | 'bySource' | 'byState' | 'byTask' | 'byKind';
    sums: Bars;
  }[] => {
    const [e, t] = [
      [now.events, before.events],
      [now.tasks, before.tasks],
    ] as const;
    return [
      {
        key: 'byType',
        sums: shortened(
          bars(...e, ({ type }) => typeName(type)),
          (count) => say('others', { count }),
        ),
      },
      { key: 'byVerdict', sums: bars(...e, ({ verdict }) => event(verdict ?? 'unjudged')) },
      {
        key: 'byStanding',
        sums: bars(...e, ({ verdict, correctedTo }) => event(correctedTo ?? verdict ?? 'unjudged')),
      },
      { key: 'byState', sums: bars(...t, ({ state }) => task(state)) },
      { key: 'byTask', sums: bars(...t, ({ type }) => task(type)) },
      { key: 'bySource', sums: bars(...e, ({ source }) => event(source)) },
      { key: 'byKind', sums: bars(now.knowledge, before.knowledge, ({ kind }) => knowledge(kind)) },
    ];
  }, [now, before, say, event, task, knowledge, typeName]);
  return (
    <Row gutter={[24, 24]}>
      {charts
        .filter(({ sums }) => sums.names.length > 0)
        .map(({ key, sums }) => (
          <Col key={key} xs={24} xxl={12}>
            <Chart
              title={say(key)}
              kind="rank"
              beside
              height={56 + 34 * sums.names.length}
              labels={sums.names}
              labelTitle={say('kind')}
              series={[
                { name: say('now'), values: sums.now },
                { name: say('before'), values: sums.before },
              ]}
              format={(value) => number(value, language)}
            />
          </Col>
        ))}
    </Row>
  );
}

/** A kind that this console does not know yet is shown as it is. */
export function useKindName(): (kind: string) => string {
  const say = useWords(knowledgeWords);
  return useMemo(() => (kind) => (kind in knowledgeWords ? say(kind as 'checklist') : kind), [say]);
}
