import { InboxOutlined } from '@ant-design/icons';
import { Form, Upload } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { type Architecture, type Release, RELEASES } from './queries.ts';
import { words } from './words.ts';

interface Wanted {
  files: { originFileObj?: File }[];
}

/** As `fieldline-release` writes it. */
interface Document {
  manifest: string;
  key: string;
  signature: string;
}

const isPackage = ({ name }: File): boolean => name.endsWith('.deb');

/** Brings a signed document, then each package that was chosen with it. */
export function AddRelease({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const [sending, send] = useState<string | null>(null);
  const act = useAct({
    act: async ({ files }: Wanted): Promise<Release> => {
      try {
        return await add(
          files.flatMap(({ originFileObj }) => (originFileObj ? [originFileObj] : [])),
          say,
          send,
        );
      } finally {
        send(null);
      }
    },
    changes: [RELEASES],
    quiet: true,
    done: ({ version, complete }) => say(complete ? 'whole' : 'partly', { version }),
    then: close,
  });
  return (
    <FormDialog<Wanted> open={open} title={say('add')} ok={say('save')} act={act} close={close}>
      <Form.Item
        name="files"
        label={say('files')}
        extra={say('filesHint')}
        valuePropName="fileList"
        getValueFromEvent={(change: { fileList: Wanted['files'] }) => change.fileList}
        rules={[{ required: true, message: say('documentNeeded') }]}
      >
        <Upload.Dragger accept=".release,.deb" multiple beforeUpload={() => false}>
          <InboxOutlined className="drop-icon" />
          <div>{say('drop')}</div>
        </Upload.Dragger>
      </Form.Item>
      <div role="status" className="quiet">
        {sending !== null && say('sending', { name: sending })}
      </div>
    </FormDialog>
  );
}

type Say = ReturnType<typeof useWords<typeof words>>;

/** @throws Error for what cannot be sent; what `answerOf` throws */
async function add(files: readonly File[], say: Say, tell: (name: string) => void): Promise<Release> {
  const [document, ...others] = files.filter((file) => !isPackage(file));
  if (!document || others.length > 0) throw new Error(say('documentNeeded'));
  const body = await documentOf(document, say);
  let release: Release = await answerOf(api.POST('/api/core/releases', { body }));
  const known = new Map(release.packages.map((one) => [one.name, one.architecture]));
  const named = files.filter(isPackage).map((file): [File, Architecture] => {
    const architecture = known.get(file.name);
    if (architecture === undefined)
      throw new Error(say('strangePackage', { name: file.name, known: [...known.keys()].join(', ') }));
    return [file, architecture];
  });
  for (const [file, architecture] of named) {
    tell(file.name);
    release = await answerOf(bringPackage(release.version, architecture, file));
  }
  return release;
}

const bringPackage = (version: string, architecture: Architecture, file: File) =>
  api.PUT('/api/core/releases/{version}/packages/{architecture}', {
    params: { path: { version, architecture } },
    body: file as never,
    bodySerializer: (body: unknown) => body as Blob,
    headers: { 'content-type': 'application/octet-stream' },
  });

async function documentOf(file: File, say: Say): Promise<Document> {
  const unreadable = (cause?: unknown): Error =>
    new Error(say('documentUnreadable', { name: file.name }), { cause });
  let read: unknown;
  try {
    read = JSON.parse(await file.text());
  } catch (error) {
    throw unreadable(error);
  }
  if (typeof read !== 'object' || read === null) throw unreadable();
  const { manifest, key, signature } = read as Partial<Record<keyof Document, unknown>>;
  if (typeof manifest !== 'string' || typeof key !== 'string' || typeof signature !== 'string')
    throw unreadable();
  return { manifest, key, signature };
}
