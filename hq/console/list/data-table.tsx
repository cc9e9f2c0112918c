import { Flex, Table, type TableColumnsType, type TableProps } from 'antd';
import { Fragment, type Key, type ReactNode, useMemo } from 'react';
import { useWide } from '../app/asked.ts';

type Column<T> = TableColumnsType<T>[number];

/** What a table needs of the query that its rows are of; every query has it. */
export interface Asked {
  isPending: boolean;
  data: unknown;
}

/**
 * antd's table as every list of the console has it. On a phone each row is one card: what the first column
 * shows stands above, the others below it with their titles, and nothing scrolls sideways.
 * @param query what the rows are of: as long as no answer has come, nothing says that there are none
 * @param head key of the column that stands above on a card, where that is not the first
 * @param narrow the columns for phones, where a screen has its own
 */
export function DataTable<T extends object>({
  columns,
  narrow,
  head,
  query,
  ...given
}: Omit<TableProps<T>, 'columns' | 'size' | 'scroll' | 'loading'> & {
  columns: TableColumnsType<T>;
  query?: Asked;
  narrow?: TableColumnsType<T>;
  head?: Key;
}) {
  const wide = useWide('md');
  const rest = query ? { ...given, ...whileAsked(query, given.locale) } : given;
  const cards = useMemo(() => cardOf(columns, head), [columns, head]);
  if (wide)
    return (
      <Table<T> size="small" scroll={{ x: 'max-content' }} pagination={false} columns={columns} {...rest} />
    );
  return (
    <Table<T>
      size="small"
      pagination={false}
      columns={narrow ?? cards}
      showHeader={narrow !== undefined}
      tableLayout="fixed"
      {...rest}
    />
  );
}

const whileAsked = (
  { isPending, data }: Asked,
  locale: TableProps['locale'],
): Pick<TableProps, 'loading' | 'locale'> => ({
  loading: isPending,
  ...(data === undefined ? { locale: { ...locale, emptyText: <div className="rows-unknown" /> } } : {}),
});

/** For tables that hold all of their rows. */
export const PAGED = { defaultPageSize: 50, hideOnSinglePage: true, showSizeChanger: false } as const;

function cardOf<T extends object>(columns: TableColumnsType<T>, key: Key | undefined): TableColumnsType<T> {
  const head = columns.find((column) => column.key === key) ?? columns[0];
  const others = columns.filter((column) => column !== head);
  return [
    {
      key: 'card',
      render: (_, row, index) => (
        <Flex vertical gap={6} className="card">
          <div>{head && shown(head, row, index)}</div>
          {others.map((column, at) => (
            <Line key={column.key ?? at} title={titleOf(column)}>
              {shown(column, row, index)}
            </Line>
          ))}
        </Flex>
      ),
    },
  ];
}

function Line({ title, children }: { title: ReactNode; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null;
  return (
    <div className="card-line">
      {title !== undefined && <span className="quiet card-title">{title}</span>}
      <div className="card-value">{children}</div>
    </div>
  );
}

const titleOf = <T extends object>({ title }: Column<T>): ReactNode =>
  typeof title === 'function' ? title({}) : title;

function shown<T extends object>(column: Column<T>, row: T, index: number): ReactNode {
  if ('children' in column) return null;
  const value: unknown =
    typeof column.dataIndex === 'string'
      ? Object.entries(row).find(([name]) => name === column.dataIndex)?.[1]
      : undefined;
  if (!column.render) return <Fragment>{value as Key | null | undefined}</Fragment>;
  return column.render(value, row, index) as ReactNode;
}
