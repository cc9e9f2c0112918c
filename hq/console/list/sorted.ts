import type { TableColumnsType, TableProps } from 'antd';

/** How the hub has ordered the rows of a list, and how it is asked for another order. */
export interface Sorted {
  /** Key of the column. */
  by: string;
  descending: boolean;
  /** @param by undefined: as the hub orders them by itself */
  change: (by: string | undefined, descending: boolean) => void;
}

/** The columns with the arrow at that by which the rows are ordered. */
export const sortedColumns = <T extends object>(
  columns: TableColumnsType<T>,
  { by, descending }: Sorted,
): TableColumnsType<T> =>
  columns.map((column) =>
    column.key === by && 'sorter' in column && column.sorter
      ? { ...column, sortOrder: descending ? ('descend' as const) : ('ascend' as const) }
      : { ...column, ...('sorter' in column && column.sorter ? { sortOrder: null } : {}) },
  );

/** What the table calls when somebody asks for another order; pages are told of by themselves. */
export const whenSorted =
  <T>({ change }: Sorted): NonNullable<TableProps<T>['onChange']> =>
  (_pages, _filters, sorter, { action }) => {
    if (action !== 'sort') return;
    const one = Array.isArray(sorter) ? sorter[0] : sorter;
    const by = one?.order ? one.columnKey : undefined;
    change(by === undefined ? undefined : String(by), one?.order === 'descend');
  };
