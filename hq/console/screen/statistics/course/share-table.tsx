import type { TableColumnsType } from 'antd';
import { DataTable, PAGED } from '../../../list/data-table.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { shareOfFalse, type Standings, standings, totalOf } from './fold.ts';
import { courseWords } from './words.ts';

/** How large a share of false alarms is, with the counts behind it: "3 of 4" is less than "300 of 400". */
export function useShareText(): (sums: Standings) => string {
  const say = useWords(courseWords);
  const { language } = useLanguage();
  return (sums) => {
    const share = shareOfFalse(sums);
    if (share === null) return say('noneJudged');
    return say('shareOf', {
      share: new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share),
      wrong: number(sums.falseAlarm, language),
      judged: number(totalOf(sums) - sums.unjudged, language),
    });
  };
}

/** Counts of events by whatever a row is of, with the share of false alarms. */
export function ShareTable<T extends Standings>({
  rows,
  rowKey,
  first,
  last = [],
}: {
  rows: readonly T[];
  rowKey: (row: T) => string;
  first: TableColumnsType<T>;
  last?: TableColumnsType<T>;
}) {
  const say = useWords(courseWords);
  const { language } = useLanguage();
  const share = useShareText();
  const count = (name: 'events' | (typeof standings)[number], of: (row: T) => number) => ({
    key: name,
    title: say(name),
    align: 'end' as const,
    ...(name === 'events' || name === 'falseAlarm' ? { sorter: (a: T, b: T) => of(a) - of(b) } : {}),
    render: (_: unknown, row: T) => number(of(row), language),
  });
  const columns: TableColumnsType<T> = [
    ...first,
    count('events', totalOf),
    // Hardly anything is merged; without it a table fits beside the menu.
    ...standings
      .filter((name) => name !== 'merged' || rows.some(({ merged }) => merged > 0))
      .map((name) => count(name, (row) => row[name])),
    {
      key: 'share',
      title: say('share'),
      align: 'end',
      sorter: (a, b) => (shareOfFalse(a) ?? -1) - (shareOfFalse(b) ?? -1),
      render: (_, row) => share(row),
    },
    ...last,
  ];
  return <DataTable columns={columns} dataSource={[...rows]} rowKey={rowKey} pagination={PAGED} />;
}
