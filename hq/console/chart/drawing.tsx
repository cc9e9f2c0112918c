// Loaded when a chart is shown: of ECharts only what is drawn.
import { theme } from 'antd';
import { BarChart, LineChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsType, init, use as draws } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';

draws([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, AriaComponent, CanvasRenderer]);

export interface Series {
  name: string;
  /** One for each label; null where there is none. */
  values: readonly (number | null)[];
}

export type ChartKind = 'line' | 'bar' | 'rank' | 'stack';

interface DrawingProps {
  labels: readonly string[];
  series: readonly Series[];
  kind: ChartKind;
  height: number;
  format: (value: number) => string;
}

/** Room for a name beside its bar, px. */
const NAME_WIDTH = 130;

/** Names below and values beside; for a ranking the other way round, the first at the top. */
const axes = (kind: DrawingProps['kind'], names: object, values: object) =>
  kind === 'rank'
    ? { xAxis: { ...values, minInterval: 1 }, yAxis: { ...names, inverse: true } }
    : { xAxis: names, yAxis: values };

export default function Drawing({ labels, series, kind, height, format }: DrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const { token } = theme.useToken();
  useEffect(() => {
    if (!place.current) return;
    const made = init(place.current);
    chart.current = made;
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    const quiet = { color: token.colorTextSecondary };
    chart.current?.setOption(
      {
        animation: false,
        aria: { enabled: true, decal: { show: series.length > 1 && kind !== 'line' } },
        color: [token.colorPrimary, token.colorWarning, token.colorSuccess, token.colorError],
        textStyle: { color: token.colorText, fontFamily: token.fontFamily },
        grid: { left: 8, right: 16, top: series.length > 1 ? 36 : 12, bottom: 8, outerBoundsMode: 'same' },
        ...(series.length > 1 ? { legend: { textStyle: quiet, top: 0 } } : {}),
        tooltip: {
          trigger: 'axis',
          // HTML with styles in it would be refused by the policy of the page.
          renderMode: 'richText',
          valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : ''),
          backgroundColor: token.colorBgElevated,
          borderColor: token.colorBorder,
          textStyle: { color: token.colorText },
        },
        ...axes(
          kind,
          {
            type: 'category',
            data: [...labels],
            axisLabel:
              kind === 'rank'
                ? { ...quiet, width: NAME_WIDTH, overflow: 'truncate' }
                : { ...quiet, hideOverlap: true },
          },
          {
            type: 'value',
            min: 0,
            axisLabel: { ...quiet, formatter: format },
            splitLine: { lineStyle: { color: token.colorSplit } },
          },
        ),
        series: series.map(({ name, values }) => ({
          name,
          type: kind === 'line' ? 'line' : 'bar',
          data: [...values],
          ...(kind === 'stack' ? { stack: 'all' } : {}),
          showSymbol: labels.length < 2,
          connectNulls: false,
          barMaxWidth: 24,
        })),
      },
      { notMerge: true },
    );
  }, [labels, series, kind, format, token]);
  return <div ref={place} style={{ height, width: '100%' }} role="img" />;
}
