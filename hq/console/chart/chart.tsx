import { Collapse, Skeleton, Table, type TableColumnsType } from 'antd';
import { lazy, Suspense } from 'react';
import { useWords } from '../word/language.tsx';
import type { Series } from './drawing.tsx';
import { words } from './words.ts';

const Drawing = lazy(() => import('./drawing.tsx'));

export interface ChartProps {
  /** What it shows, with its unit: the name of the chart and of its table. */
  title: string;
  /** Texts below the axis, as `useTimeText()` writes them where they are times. */
  labels: readonly string[];
  /** What the labels are, at the head of the table. */
  labelTitle: string;
  series: readonly Series[];
  kind?: 'line' | 'bar';
  /** px. */
  height?: number;
  /** How a figure is written on the axis and in the table. */
  format?: (value: number) => string;
}

/** A chart, and its figures as a table for whoever cannot see it or wants them exactly. */
export function Chart({ kind = 'line', height = 220, format = String, ...props }: ChartProps) {
  const { title, labels, labelTitle, series } = props;
  const say = useWords(words);
  const rows = labels.map((label, at) => ({ key: at, label, at }));
  const columns: TableColumnsType<(typeof rows)[number]> = [
    { key: 'label', title: labelTitle, dataIndex: 'label' },
    ...series.map(({ name, values }) => ({
      key: name,
      title: name,
      align: 'end' as const,
      render: (_: unknown, { at }: { at: number }) => {
        const value = values[at];
        return value === undefined || value === null ? '' : format(value);
      },
    })),
  ];
  return (
    <figure className="chart" aria-label={title}>
      <figcaption>{title}</figcaption>
      <Suspense fallback={<Skeleton.Node active style={{ width: '100%', height }} />}>
        <Drawing labels={labels} series={series} kind={kind} height={height} format={format} />
      </Suspense>
      <Collapse
        ghost
        size="small"
        items={[
          {
            key: 'table',
            label: say('figures'),
            children: (
              <Table
                size="small"
                columns={columns}
                dataSource={rows}
                pagination={{ hideOnSinglePage: true }}
              />
            ),
          },
        ]}
      />
    </figure>
  );
}
