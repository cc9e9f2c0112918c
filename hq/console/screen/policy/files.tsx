import { UploadOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Flex, Input, Select } from 'antd';
import { useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
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

/** Files as rows that open. */
export const FileList = defineList<PolicyFile>({
  keyOf: ({ docId }) => String(docId),
  useColumns: useFileColumns,
  useOpen: () => {
    const navigate = useNavigate();
    const { filters: eyes } = useFilters(eyesFilters);
    return ({ docId }) =>
      void navigate({ to: '/library/files/$doc', params: { doc: String(docId) }, search: eyes });
  },
});

/** Which files are there, and which of them are in force? */
export function PolicyFiles() {
  const say = useWords(words);
  const sayUpload = useWords(uploadWords);
  const { can } = useSession();
  const eyes = useEyes();
  const { filters, change, clearOf } = useFilters(fileFilters);
  const [uploading, upload] = useState(false);
  const { q, status } = filters;
  const files = useFiles(eyes, { ...(q === undefined ? {} : { q }), ...(status ? { status } : {}) });
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
      <FileList list={files} none={say('noFiles')} clear={clearOf('q', 'status')} />
      {eyes && <UploadFile open={uploading} close={() => upload(false)} tenant={eyes.tenant} />}
    </LibraryFrame>
  );
}
