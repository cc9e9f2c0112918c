import { ArrowLeftOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Alert, Card, Descriptions, Flex, Skeleton } from 'antd';
import { useEffect } from 'react';
import { DataTable, PAGED } from '../../list/data-table.tsx';
import { useFilters } from '../../list/filter.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { NotFound, Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes } from '../../word/number.ts';
import { Decisions } from './decisions.tsx';
import { type Eyes, useEyes } from './eyes.ts';
import { FileLink } from './file-columns.tsx';
import { eyesFilters, fileClause } from './filters.ts';
import { FileState, Level, stateOf, useValidity } from './marks.tsx';
import { OriginalLink } from './original.tsx';
import { isUnderWay, type PolicyFileDetail, useFile, useReadings } from './queries.ts';
import { ReadAgain, ReadingNotes, ReadingState } from './reading/state.tsx';
import { words } from './words.ts';

/** One policy file: what it is, its clauses, and what may be done with it. */
export function PolicyFilePage() {
  const say = useWords(words);
  const { doc } = useParams({ from: '/shell/library/files/$doc' });
  const id = /^[1-9]\d{0,14}$/.test(doc) ? Number(doc) : null;
  const { can } = useSession();
  const eyes = useEyes();
  const { filters } = useFilters(eyesFilters);
  const query = useFile(eyes, id);
  const file = query.data;
  if (id === null) return <NotFound />;
  return (
    <Page
      title={file?.title ?? say('title')}
      under={
        <Link to="/library/files" search={filters}>
          <ArrowLeftOutlined /> {say('tabFiles')}
        </Link>
      }
      actions={file && eyes && can('policy.manage') && <Decisions eyes={eyes} file={file} />}
    >
      <AsOf query={query} />
      {file && eyes && can('policy.manage') && <FileReading eyes={eyes} file={file} />}
      {file && eyes ? <FileFacts eyes={eyes} file={file} /> : query.isPending && <Skeleton active />}
      {file && <Named file={file} />}
      {file && <Chunks file={file} />}
    </Page>
  );
}

/** How it was read, and what is to be looked at before it is put in force. */
function FileReading({ eyes, file }: { eyes: Eyes; file: PolicyFileDetail }) {
  const say = useWords(words);
  const reading = useReadings(eyes, true, file.docId).data?.[0];
  const client = useQueryClient();
  // It may have been read between the two answers.
  const old = reading && !isUnderWay(reading) && ['uploaded', 'parsing'].includes(file.status);
  useEffect(() => {
    if (old) void client.invalidateQueries({ queryKey: ['policy', 'file'] });
  }, [client, old]);
  const open = ['uploaded', 'parsing', 'review'].includes(file.status);
  const { missingNumbers: missing } = file;
  if (!open || file.originalStoredAt === null) return null;
  return (
    <>
      {missing.length > 0 && (
        <Alert type="warning" showIcon title={say('missingNumbers', { numbers: missing.join(', ') })} />
      )}
      {reading && (
        <Card size="small">
          <Flex gap="middle" wrap align="center" justify="space-between">
            <ReadingState reading={reading} />
            <div className="reading-notes">
              <ReadingNotes notes={reading.notes} />
            </div>
            {file.status === 'review' && (
              <ReadAgain tenant={eyes.tenant} docId={file.docId} replaces={file.chunkCount > 0} />
            )}
          </Flex>
        </Card>
      )}
    </>
  );
}

function FileFacts({ eyes, file }: { eyes: Eyes; file: PolicyFileDetail }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const validity = useValidity();
  const { filters } = useFilters(eyesFilters);
  const { can } = useSession();
  // What headquarters notes of its own reading stands above, in the language at hand.
  const noted = useReadings(eyes, can('policy.manage'), file.docId).data?.[0]?.notes.length;
  const link = (id: number | null) => (id === null ? null : <FileLink id={id} eyes={filters} />);
  const original =
    file.originalStoredAt === null ? (
      say(file.sha256 === null ? 'noOriginal' : 'originalComing')
    ) : (
      <Flex gap="small" wrap>
        <OriginalLink eyes={eyes} docId={file.docId} page={null} />
        <span className="wraps">{file.fileName}</span>
        {file.size !== null && <span className="quiet">{bytes(file.size, language)}</span>}
      </Flex>
    );
  const facts = [
    ['status', <FileState key="s" status={stateOf(file)} />],
    ['docNo', file.docNo],
    ['version', file.version],
    ['level', <Level key="l" level={file.securityLevel} />],
    ['validity', validity(file)],
    ['supersedes', link(file.supersedes)],
    ['supersededBy', link(file.supersededBy)],
    ['reason', file.reason],
    ['parseNote', noted ? null : file.parseNote],
    ['file', original],
    ['source', `${file.srcSystem} / ${file.srcKey}`],
    [
      'created',
      <Flex key="c" gap="small" wrap>
        <Time at={file.createdAt} />
        <span className="quiet">{say('by', { who: file.createdBy })}</span>
      </Flex>,
    ],
  ] as const;
  return (
    <Card size="small">
      <Descriptions
        size="small"
        column={{ xs: 1, lg: 2 }}
        items={facts
          .filter(([, value]) => value !== null)
          .map(([key, value]) => ({
            key,
            label: say(key),
            children: <div className="wraps">{value}</div>,
          }))}
      />
    </Card>
  );
}

type Chunk = NonNullable<PolicyFileDetail['chunks']>[number];

/** The clause that a link names; one that is read anew has another number, and is among the others. */
function Named({ file: { chunks = [] } }: { file: PolicyFileDetail }) {
  const say = useWords(words);
  const { clause } = useFilters(fileClause).filters;
  const named = chunks.find(({ chunkId }) => chunkId === clause);
  if (!named) return null;
  return (
    <Card size="small" className="clause" title={say('clause')}>
      <ChunkText chunk={named} />
    </Card>
  );
}

function Chunks({ file: { chunks = [] } }: { file: PolicyFileDetail }) {
  const say = useWords(words);
  return (
    <DataTable<Chunk>
      rowKey="chunkId"
      dataSource={chunks}
      pagination={PAGED}
      locale={{ emptyText: <Nothing none={say('noChunks')} /> }}
      columns={[
        {
          key: 'clause',
          title: say('clause'),
          render: (_, chunk) => <ChunkText chunk={chunk} />,
        },
      ]}
      title={() => `${say('chunks')}: ${chunks.length}`}
    />
  );
}

function ChunkText({ chunk: { clausePath, page, text } }: { chunk: Chunk }) {
  const say = useWords(words);
  return (
    <div>
      <strong className="wraps">{clausePath ?? say('unplaced')}</strong>
      {page !== null && (
        <span className="quiet">
          {' '}
          · {say('page')} {page}
        </span>
      )}
      <div className="clause-text">{text}</div>
    </div>
  );
}
