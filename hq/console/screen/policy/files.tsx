import { UploadOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Flex, Input, Select } from 'antd';
import { useState } from 'react';
import { type Asked, DataTable } from '../../list/data-table.tsx';
import { useFilters } from '../../list/filter.ts';
import { MoreRows } from '../../list/growing-rows.tsx';
import { useRows } from '../../list/rows.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useEyes } from './eyes.ts';
import { useFileColumns } from './file-columns.tsx';
import { documentStates, eyesFilters, fileFilters, type FileStateName } from './filters.ts';
import { LibraryFrame } from './frame.tsx';
import { type PolicyFile, useFiles } from './queries.ts';
import { UploadFile } from './upload.tsx';
import { uploadWords } from './upload-words.ts';
import { words } from './words.ts';

/** Which files are there, and which of them are in force? */
export function PolicyFiles() {
  const say = useWords(words);
  const sayUpload = useWords(uploadWords);
  const { can } = useSession();
  const eyes = useEyes();
  const { filters, change } = useFilters(fileFilters);
  const [uploading, upload] = useState(false);
  const { q, status } = filters;
  const files = useFiles(eyes, { ...(q === undefined ? {} : { q }), ...(status ? { status } : {}) });
  const filtered = q !== undefined || status !== undefined;
  return (
    <LibraryFrame
      tab="files"
      actions={
        can('policy.manage') &&
        eyes && (
          <Button type="primary" icon={<UploadOutlined />} onClick={() => upload(true)}>
            {sayUpload('upload')}
          </Button>
        )
      }
    >
      <AsOf query={files.query} />
      <Flex gap="small" wrap>
        <Input.Search
          key={q}
          className="filter-text"
          placeholder={say('find')}
          aria-label={say('find')}
          defaultValue={q}
          maxLength={200}
          allowClear
          onSearch={(text) => change({ q: text.trim() === '' ? undefined : text.trim() })}
        />
        <Select
          className="filter-choice"
          placeholder={say('status')}
          aria-label={say('status')}
          allowClear
          value={status}
          options={documentStates.map((value) => ({ value, label: say(value) }))}
          onChange={(value?: FileStateName) => change({ status: value })}
        />
      </Flex>
      <FileTable
        files={files.rows}
        query={files.query}
        none={say('noFiles')}
        clear={filtered ? () => change({ q: undefined, status: undefined }) : undefined}
      />
      <MoreRows list={files} />
      {eyes && <UploadFile open={uploading} close={() => upload(false)} tenant={eyes.tenant} />}
    </LibraryFrame>
  );
}

/** Files as rows that open. */
export function FileTable({
  files,
  query,
  none,
  clear,
}: {
  files: readonly PolicyFile[];
  query: Asked;
  none: string;
  clear?: (() => void) | undefined;
}) {
  const navigate = useNavigate();
  const { filters: eyes } = useFilters(eyesFilters);
  const rows = useRows({
    rows: files,
    keyOf: ({ docId }) => String(docId),
    open: ({ docId }) =>
      void navigate({ to: '/library/files/$doc', params: { doc: String(docId) }, search: eyes }),
  });
  return (
    <DataTable<PolicyFile>
      {...rows.table}
      columns={useFileColumns()}
      dataSource={files}
      query={query}
      locale={{ emptyText: <Nothing none={none} clear={clear} /> }}
    />
  );
}
