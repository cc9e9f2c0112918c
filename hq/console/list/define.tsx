import type { TableColumnsType, TableProps } from 'antd';
import type { Key, ReactNode } from 'react';
import { AsOf, type Dated } from '../page/fault.tsx';
import { Nothing } from '../page/nothing.tsx';
import { useWords } from '../word/language.tsx';
import { type Asked, DataTable, PAGED } from './data-table.tsx';
import { MoreRows, NewRows } from './growing-rows.tsx';
import { type Here, useRows } from './rows.ts';
import { type Sorted, sortedColumns, whenSorted } from './sorted.ts';
import { words } from './words.ts';

/** The rows of a list, and how they come: all at once (`whole`), or page by page (`useGrowing`). */
export interface List<T> {
  rows: readonly T[];
  /** For `<AsOf>`. */
  query: Dated & Asked;
  /** What the rows are of, where that is another query. */
  pages?: Asked;
  /** Rows that came above those shown. */
  fresh?: { count: number; more: boolean };
  showFresh?: () => unknown;
  /** Whether there are rows below those shown, which the hub is asked for. */
  hasMore?: boolean;
  loadMore?: () => void;
  loadingMore?: boolean;
  /** The table shows fifty rows at a time. */
  paged?: boolean;
  /** The rows are one page of those that the hub has; `go` asks for another, counted from 1. */
  numbered?: { page: number; size: number; total: number; go: (page: number) => void };
  /** The hub orders the rows: a column that it orders by has `sorter: true`, and its key is the order. */
  sorted?: Sorted;
}

/** A list all of whose rows are here. @param rows those that are shown, of what was asked for */
export const whole = <T,>(query: Dated & Asked, rows: readonly T[] = []): List<T> => ({
  rows,
  query,
  paged: true,
});

interface Definition<T, A> {
  keyOf: (row: T) => string;
  useColumns: (acts: A) => TableColumnsType<T>;
  /** For phones, where each row is otherwise a card of all columns. */
  useNarrowColumns?: (acts: A) => TableColumnsType<T>;
  /** Key of the column that stands above on a card, where that is not the first. */
  head?: Key;
  /** What Enter and a double click on a row do. */
  useOpen?: (acts: A) => (row: T) => void;
}

interface Shown<T> {
  list: List<T>;
  /** Says that there is nothing at all. */
  none: string;
  /** Takes the filters out; undefined: none is set. */
  clear?: (() => void) | undefined;
  /** Where the screen is to know the row that the keyboard is on (`useHere`). */
  here?: Here;
  /** Of antd's table, such as the choice of rows. */
  more?: Pick<TableProps<T>, 'rowSelection' | 'expandable'>;
  /** Whether what asks for more stands below; a screen may have its own. */
  foot?: boolean;
}

/**
 * A list as every screen has it: as of when it is, how many rows came above, its rows for wide and narrow
 * screens, by the keyboard too, and what asks for more.
 * @returns its component; `acts` is given to its columns and to `useOpen`, for what can be done with a row
 */
export function defineList<T extends object, A = void>({
  keyOf,
  useColumns,
  useNarrowColumns,
  head,
  useOpen,
}: Definition<T, A>): (props: Shown<T> & (A extends void ? object : { acts: A })) => ReactNode {
  return function ListOf({ list, none, clear, here, more, foot = true, ...given }) {
    const acts = ('acts' in given ? given.acts : undefined) as A;
    const columns = useColumns(acts);
    const narrow = useNarrowColumns?.(acts);
    const open = useOpen?.(acts);
    const { table } = useRows<T>({ rows: list.rows, keyOf, ...(open && { open }), ...(here && { here }) });
    return (
      <>
        <AsOf query={list.query} />
        <NewRows list={list} />
        <DataTable<T>
          {...table}
          {...more}
          {...(narrow && { narrow })}
          {...(head !== undefined && { head })}
          {...(list.paged && { pagination: PAGED })}
          {...(list.numbered && { pagination: pagesOf(list.numbered) })}
          {...(list.sorted && { onChange: whenSorted<T>(list.sorted) })}
          columns={list.sorted ? sortedColumns(columns, list.sorted) : columns}
          dataSource={list.rows}
          query={list.pages ?? list.query}
          locale={{ emptyText: <Empty list={list} none={none} clear={clear} /> }}
        />
        {foot && <MoreRows list={list} />}
      </>
    );
  };
}

const pagesOf = ({ page, size, total, go }: NonNullable<List<unknown>['numbered']>) => ({
  ...PAGED,
  current: page,
  pageSize: size,
  total,
  onChange: go,
});

/** That nothing fits is known only when all has been looked at. */
function Empty<T>({ list, none, clear }: Pick<Shown<T>, 'list' | 'none' | 'clear'>) {
  const say = useWords(words);
  if (list.hasMore) return <span className="quiet">{say('noneSoFar')}</span>;
  return <Nothing none={none} clear={clear} />;
}
