import { Alert, Col, Drawer, Empty, Flex, Input, Row, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { useWide } from '../../app/asked.ts';
import { type Asked, DataTable } from '../../list/data-table.tsx';
import { useFilters } from '../../list/filter.ts';
import { useRows } from '../../list/rows.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { useWords } from '../../word/language.tsx';
import { Clause } from './clause.tsx';
import { type Eyes, useEyes } from './eyes.ts';
import { searchFilters } from './filters.ts';
import { LibraryFrame } from './frame.tsx';
import { Checked } from './marks.tsx';
import { type Check, type Hit, useSearch } from './queries.ts';
import { words } from './words.ts';

/** Which clauses are about something, and may they be cited? */
export function PolicySearch() {
  const say = useWords(words);
  const eyes = useEyes();
  const { filters, change } = useFilters(searchFilters);
  const search = useSearch(eyes, filters.q);
  const note = search.data?.vec_note;
  return (
    <LibraryFrame tab="search" byLevel={false}>
      <Input.Search
        key={filters.q}
        className="library-question"
        placeholder={say('ask')}
        aria-label={say('ask')}
        enterButton={say('askButton')}
        defaultValue={filters.q}
        maxLength={200}
        allowClear
        autoFocus
        onSearch={(q) => change({ q: q.trim() === '' ? undefined : q.trim(), chunk: undefined })}
      />
      <AsOf query={search} />
      {note !== undefined && note !== '' && (
        <Alert type="info" showIcon title={say('wordsOnly', { why: say(note) })} />
      )}
      {search.data?.certain_note === 'little_in_common' && (
        <Alert type="warning" showIcon title={say('little_in_common')} />
      )}
      {filters.q === undefined ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('askFirst')} />
      ) : (
        eyes && (
          <Hits
            eyes={eyes}
            leftOut={search.data?.left_out ?? 0}
            hits={search.data?.items ?? []}
            checks={search.data?.checks ?? new Map()}
            query={search}
            chosen={filters.chunk}
            choose={(chunk) => change({ chunk })}
          />
        )
      )}
    </LibraryFrame>
  );
}

interface HitsProps {
  eyes: Eyes;
  leftOut: number;
  hits: readonly Hit[];
  checks: ReadonlyMap<number, Check>;
  query: Asked;
  chosen: number | undefined;
  choose: (chunk: number | undefined) => void;
}

function Hits({ eyes, leftOut, hits, checks, query, chosen, choose }: HitsProps) {
  const say = useWords(words);
  const wide = useWide('lg');
  const shown = hits.find(({ chunkId }) => chunkId === chosen) ?? (wide ? hits[0] : undefined);
  const rows = useRows({
    rows: hits,
    keyOf: ({ chunkId }) => String(chunkId),
    open: ({ chunkId }) => choose(chunkId),
  });
  const columns = useColumns(checks);
  const clause = shown && <Clause eyes={eyes} hit={shown} check={checks.get(shown.chunkId)} />;
  return (
    <Row gutter={[16, 16]}>
      <Col xs={24} lg={14}>
        <DataTable<Hit>
          {...rows.table}
          onRow={({ chunkId }) => ({ onClick: () => choose(chunkId), className: 'row-opens' })}
          rowClassName={(hit) =>
            `${rows.table.rowClassName(hit)} ${hit === shown ? 'ant-table-row-selected' : ''}`
          }
          columns={columns}
          dataSource={hits}
          query={query}
          locale={{ emptyText: <Nothing none={say('noHits')} /> }}
        />
        {leftOut > 0 && <span className="quiet">{say('leftOut', { count: leftOut })}</span>}
      </Col>
      {wide ? (
        <Col lg={10}>{clause}</Col>
      ) : (
        <Drawer open={shown !== undefined} onClose={() => choose(undefined)} size="large">
          {clause}
        </Drawer>
      )}
    </Row>
  );
}

const twoPlaces = (value: number): string => value.toFixed(2);

function useColumns(checks: ReadonlyMap<number, Check>): TableColumnsType<Hit> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'clause',
        title: say('clause'),
        render: (_, { clausePath, title, twins }) => (
          <div className="library-lines">
            <a className="library-cut" title={clausePath ?? ''}>
              {clausePath ?? say('unplaced')}
            </a>
            <span className="quiet library-cut" title={title}>
              {title}
            </span>
            {twins.length > 0 && <span className="quiet">{say('twins', { count: twins.length })}</span>}
          </div>
        ),
      },
      { key: 'page', title: say('page'), dataIndex: 'page', align: 'end' },
      {
        key: 'version',
        title: say('version'),
        render: (_, { version }) => (
          <span className="library-cut-short" title={version}>
            {version}
          </span>
        ),
      },
      {
        key: 'check',
        title: say('check'),
        render: (_, { chunkId }) => <Checked reason={checks.get(chunkId)} />,
      },
      { key: 'score', title: say('score'), align: 'end', render: (_, hit) => <Score hit={hit} /> },
    ],
    [say, checks],
  );
}

/** The score and what it is made of. */
function Score({ hit: { score, explain } }: { hit: Hit }) {
  const say = useWords(words);
  const keyword = twoPlaces(explain?.keywordScore ?? score);
  return (
    <Flex vertical align="end" className="number">
      <strong>{twoPlaces(score)}</strong>
      <span className="quiet">
        {explain && explain.vectorScore !== null
          ? say('scoreParts', { keyword, vector: twoPlaces(explain.vectorScore) })
          : say('scoreWords', { keyword })}
      </span>
    </Flex>
  );
}
