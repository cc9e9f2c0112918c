import { Link } from '@tanstack/react-router';
import { Badge, Flex } from 'antd';
import type { ReactNode } from 'react';
import { AsOf } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** Lines of a section that are shown here; the rest stands where "All" leads. */
const SHOWN = 5;

interface Asked<T> {
  data: { items: T[]; hasMore: boolean } | undefined;
  error: unknown;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** One kind of what needs a person; nothing at all where there is none. @param to where all of it stands */
export function Section<T>({
  title,
  query,
  line,
  keyOf,
  to,
  search = {},
  urgent = false,
  shown = SHOWN,
}: {
  title: string;
  query: Asked<T>;
  line: (row: T) => ReactNode;
  keyOf: (row: T) => string | number;
  to?: string;
  search?: Record<string, unknown>;
  urgent?: boolean;
  shown?: number;
}) {
  const say = useWords(words);
  const { items = [], hasMore = false } = query.data ?? {};
  if (items.length === 0 && !query.error) return null;
  const left = items.length - shown;
  return (
    <section className="panel now">
      <Flex justify="space-between" align="center" gap="small">
        <Flex gap="small" align="center" className="now-title">
          <h2>{title}</h2>
          <Badge
            count={hasMore ? `${items.length}+` : items.length}
            overflowCount={999}
            className={urgent ? 'count-urgent' : 'count'}
          />
        </Flex>
        {to !== undefined && (
          <Link to={to} search={search}>
            {say('all')}
          </Link>
        )}
      </Flex>
      <AsOf query={query} />
      <ul className="lines">
        {items.slice(0, shown).map((row) => (
          <li key={keyOf(row)}>{line(row)}</li>
        ))}
      </ul>
      {left > 0 && <span className="quiet">{say('more', { count: hasMore ? `${left}+` : left })}</span>}
    </section>
  );
}
