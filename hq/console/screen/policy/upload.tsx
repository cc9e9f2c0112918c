import { InboxOutlined } from '@ant-design/icons';
import { App, DatePicker, Flex, Form, Input, Modal, Select, Upload } from 'antd';
import type { Dayjs } from 'dayjs';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { levels } from './filters.ts';
import type { PolicyFile } from './queries.ts';
import { uploadWords } from './upload-words.ts';
import { words } from './words.ts';

/** As the hub takes them. */
const MAX_BYTES = 25 * 1024 * 1024;
const READABLE = '.pdf,.docx,.html,.htm,.md,.markdown,.txt,.png,.jpg,.jpeg,.tif,.tiff';
const DAY = 'YYYY-MM-DD';

interface Fields {
  title: string;
  docNo?: string;
  version: string;
  srcKey: string;
  from?: Dayjs | null;
  until?: Dayjs | null;
  level?: PolicyFile['securityLevel'];
}

/** A file with what is said of it. @param before the version whose place it is to take */
export function UploadFile({
  open,
  close,
  tenant,
  before,
}: {
  open: boolean;
  close: () => void;
  tenant: string;
  before?: PolicyFile;
}) {
  const say = useWords(uploadWords);
  const [form] = Form.useForm<Fields>();
  const [file, setFile] = useState<File | null>(null);
  const [missing, setMissing] = useState(false);
  const leave = (): void => {
    setFile(null);
    setMissing(false);
    form.resetFields();
    close();
  };
  const upload = useUpload(tenant, before, leave);
  return (
    <Modal
      open={open}
      title={say(before ? 'uploadNext' : 'upload')}
      width={680}
      onCancel={leave}
      cancelText={say('cancel')}
      okText={say('upload')}
      okButtonProps={{ loading: upload.pending }}
      onOk={() => {
        setMissing(file === null);
        form.submit();
      }}
      destroyOnHidden
    >
      <Flex vertical gap="middle">
        <Dropped
          file={file}
          missing={missing}
          choose={(chosen) => {
            setFile(chosen);
            setMissing(false);
            if (chosen) form.setFieldsValue(guessed(chosen, form.getFieldsValue()));
          }}
        />
        <FileForm
          form={form}
          before={before}
          send={(fields) => {
            if (file) upload.run({ file, fields });
          }}
        />
        <span className="quiet">{say('uploadMeans')}</span>
      </Flex>
    </Modal>
  );
}

/** What the name of the file says, where nothing was written yet. */
function guessed(file: File, fields: Partial<Fields>): Partial<Fields> {
  const name = file.name.replace(/\.[^.]+$/, '');
  return { title: fields.title ? fields.title : name, srcKey: fields.srcKey ? fields.srcKey : name };
}

function useUpload(tenant: string, before: PolicyFile | undefined, then: () => void) {
  const say = useWords(uploadWords);
  return useAct({
    act: ({
      file,
      fields: { title, docNo, version, srcKey, from, until, level },
    }: {
      file: File;
      fields: Fields;
    }) =>
      answerOf(
        api.POST('/api/core/kb/docs/upload', {
          body: {
            tenant_code: tenant,
            src_system: before?.srcSystem ?? 'console',
            src_key: srcKey.trim(),
            title: title.trim(),
            version: version.trim(),
            ...(docNo?.trim() ? { doc_no: docNo.trim() } : {}),
            ...(from ? { effective_date: from.format(DAY) } : {}),
            ...(until ? { expiry_date: until.format(DAY) } : {}),
            ...(level ? { security_level: level } : {}),
            ...(before ? { supersedes: before.docId } : {}),
            file,
          },
          bodySerializer: formOf,
        }),
      ),
    changes: [['policy']],
    done: ({ created, stored }) => say(created || stored ? 'uploadDone' : 'uploadThere'),
    conflict: ({ code }) => (code === 'source_key_taken' ? say('keyTaken') : undefined),
    then,
  });
}

function formOf(body: Record<string, string | number | Blob | undefined>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value));
  return form;
}

function Dropped({
  file,
  missing,
  choose,
}: {
  file: File | null;
  missing: boolean;
  choose: (file: File | null) => void;
}) {
  const say = useWords(uploadWords);
  const { message } = App.useApp();
  return (
    <div>
      <Upload.Dragger
        accept={READABLE}
        maxCount={1}
        fileList={file ? [{ uid: file.name, name: file.name, status: 'done' }] : []}
        beforeUpload={(chosen) => {
          if (chosen.size > MAX_BYTES) message.error(say('tooBig'));
          else choose(chosen);
          return false;
        }}
        onRemove={() => choose(null)}
      >
        <InboxOutlined className="drop-icon" />
        <div>{say('drop')}</div>
        <div className="quiet">{say('dropHint')}</div>
      </Upload.Dragger>
      {missing && (
        <div role="alert" className="fault-text">
          {say('fileNeeded')}
        </div>
      )}
    </div>
  );
}

function FileForm({
  form,
  before,
  send,
}: {
  form: ReturnType<typeof Form.useForm<Fields>>[0];
  before: PolicyFile | undefined;
  send: (fields: Fields) => void;
}) {
  const say = useWords(uploadWords);
  const field = useWords(words);
  const needed = [{ required: true, whitespace: true, message: say('needed') }];
  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      onFinish={send}
      initialValues={before ? { title: before.title, docNo: before.docNo ?? undefined } : {}}
      className="form-grid"
    >
      <Form.Item name="title" label={field('name')} rules={needed} className="form-wide">
        <Input maxLength={512} />
      </Form.Item>
      <Form.Item name="docNo" label={field('docNo')}>
        <Input maxLength={128} />
      </Form.Item>
      <Form.Item name="version" label={field('version')} rules={needed}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="srcKey" label={say('srcKey')} rules={needed}>
        <Input maxLength={256} />
      </Form.Item>
      <Form.Item name="level" label={field('level')}>
        <Select
          allowClear
          placeholder={say('keepLevel')}
          options={levels.map((value) => ({ value, label: field(value) }))}
        />
      </Form.Item>
      <Form.Item name="from" label={say('from')}>
        <DatePicker className="form-full" />
      </Form.Item>
      <Form.Item name="until" label={say('until')}>
        <DatePicker className="form-full" />
      </Form.Item>
    </Form>
  );
}
