import type { TableColumnsType, TableProps } from 'antd';
import { AsOf } from '../page/fault.tsx';
import { Nothing } from '../page/page.tsx';
import { useWords } from '../word/language.tsx';
import { DataTable } from './data-table.tsx';
import type { useGrowing } from './growing.ts';
import { MoreRows, NewRows } from './growing-rows.tsx';
import type { useRows } from './rows.ts';
import { words } from './words.ts';

/**
 * A list by cursor: as of when it is, how many rows came above, its rows, and what asks for more.
 * @param none says that there is nothing at all
 * @param clear takes the filters out; undefined: none is set
 * @param narrow the columns for phones, where a screen has its own
 * @param more of antd's table, such as the choice of rows
 */
export function ListTable<T extends object>({
  list,
  rows,
  columns,
  narrow,
  none,
  clear,
  more = {},
  foot = true,
}: {
  list: ReturnType<typeof useGrowing<T>>;
  rows: ReturnType<typeof useRows<T>>;
  columns: TableColumnsType<T>;
  narrow?: TableColumnsType<T>;
  none: string;
  clear: (() => void) | undefined;
  more?: Pick<TableProps<T>, 'rowSelection' | 'expandable'>;
  /** Whether what asks for more stands below; a screen may have its own. */
  foot?: boolean;
}) {
  const say = useWords(words);
  // That nothing fits is known only when all has been looked at.
  const empty = list.hasMore ? (
    <span className="quiet">{say('noneSoFar')}</span>
  ) : (
    <Nothing none={none} clear={clear} />
  );
  return (
    <>
      <AsOf query={list.query} />
      <NewRows list={list} />
      <DataTable<T>
        {...rows.table}
        {...more}
        columns={columns}
        {...(narrow ? { narrow } : {})}
        dataSource={list.rows}
        query={list.pages}
        locale={{ emptyText: empty }}
      />
      {foot && <MoreRows list={list} />}
    </>
  );
}
