import { Collapse, Skeleton, Table, type TableColumnsType } from 'antd';
import { later } from '../app/later.tsx';
import { useWords } from '../word/language.tsx';
import type { ChartKind, Series } from './drawing.tsx';
import { words } from './words.ts';

const Drawing = later(
  async () => (await import('./drawing.tsx')).default,
  ({ height }) => <Skeleton.Node active style={{ width: '100%', height }} />,
);

export interface ChartProps {
  /** What it shows, with its unit: the name of the chart and of its table. */
  title: string;
  /** Texts below the axis, as `useTimeText()` writes them where they are times. */
  labels: readonly string[];
  /** What the labels are, at the head of the table. */
  labelTitle: string;
  series: readonly Series[];
  /** `rank`: bars that lie, for names of any length; `stack`: the series on top of each other. */
  kind?: ChartKind;
  /** px. */
  height?: number;
  /** The table stands beside it, instead of being opened. */
  beside?: boolean;
  /** How a figure is written on the axis and in the table. */
  format?: (value: number) => string;
}

/** A chart, and its figures as a table for whoever cannot see it or wants them exactly. */
export function Chart({
  kind = 'line',
  height = 220,
  format = String,
  beside = false,
  ...props
}: ChartProps) {
  const { title, labels, labelTitle, series } = props;
  const say = useWords(words);
  const drawing = <Drawing labels={labels} series={series} kind={kind} height={height} format={format} />;
  const table = <FigureTable labels={labels} labelTitle={labelTitle} series={series} format={format} />;
  return (
    <figure className="chart" aria-label={title}>
      <figcaption>{title}</figcaption>
      {beside ? (
        <div className="chart-beside">
          <div>{drawing}</div>
          <div>{table}</div>
        </div>
      ) : (
        <>
          {drawing}
          <Collapse ghost size="small" items={[{ key: 'table', label: say('figures'), children: table }]} />
        </>
      )}
    </figure>
  );
}

function FigureTable({
  labels,
  labelTitle,
  series,
  format,
}: Required<Pick<ChartProps, 'labels' | 'labelTitle' | 'series' | 'format'>>) {
  const rows = labels.map((label, at) => ({ key: at, label, at }));
  const columns: TableColumnsType<(typeof rows)[number]> = [
    {
      key: 'label',
      title: labelTitle,
      render: (_, { label }) => <bdi className="breaks">{label}</bdi>,
    },
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
  return <Table size="small" columns={columns} dataSource={rows} pagination={{ hideOnSinglePage: true }} />;
}
