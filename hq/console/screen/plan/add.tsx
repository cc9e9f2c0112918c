import { InboxOutlined } from '@ant-design/icons';
import { AutoComplete, Form, Input, InputNumber, Upload } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { useSiteOffers } from '../site/choice.tsx';
import { isPdf, pictureOfFile, Unreadable } from './picture-file.ts';
import { type Plan, PLANS } from './queries.ts';
import { words } from './words.ts';

interface Wanted {
  tenant_code: string;
  instance: string;
  name: string;
  files: { originFileObj?: File }[];
  page?: number;
}

const MOST_PAGES = 10_000;

/** A picture or a page of a PDF becomes a plan. @param site that is asked for first */
export function AddPlan({
  open,
  site,
  close,
  added,
}: {
  open: boolean;
  site: string | undefined;
  close: () => void;
  added: (plan: Plan) => void;
}) {
  const say = useWords(words);
  const act = useAct({
    act: async ({ files, page = 1, ...plan }: Wanted) => {
      const file = files[0]?.originFileObj;
      if (!file) throw new Error(say('fileNeeded'));
      const picture = await pictureOfFile(file, page).catch((error: unknown) => {
        if (!(error instanceof Unreadable)) throw error;
        const { pages } = error;
        throw new Error(pages === null ? say('unreadable') : say('noPage', { pages }), { cause: error });
      });
      return answerOf(api.POST('/api/core/plans', { body: { ...plan, picture, pins: [] } }));
    },
    changes: [PLANS],
    quiet: true,
    done: () => say('added'),
    then: (plan) => {
      close();
      added(plan);
    },
  });
  return (
    <FormDialog<Wanted>
      open={open}
      title={say('add')}
      ok={say('save')}
      initial={{ ...(site === undefined ? {} : { instance: site }), page: 1 }}
      act={act}
      close={close}
    >
      <Fields />
    </FormDialog>
  );
}

function Fields() {
  const say = useWords(words);
  const sites = useSiteOffers();
  const files: Wanted['files'] | undefined = Form.useWatch('files');
  const file = files?.[0]?.originFileObj;
  const needed = { required: true, message: say('needed') };
  return (
    <>
      <TenantField />
      <Form.Item name="instance" label={say('site')} rules={[needed]}>
        <AutoComplete
          options={sites.map(({ value, label }) => ({
            value,
            label: label === value ? value : `${label} · ${value}`,
          }))}
          showSearch={{
            filterOption: (typed, option) =>
              option?.label.toLowerCase().includes(typed.toLowerCase()) ?? false,
          }}
          maxLength={128}
        />
      </Form.Item>
      <Form.Item
        name="name"
        label={say('name')}
        extra={say('nameHint')}
        rules={[{ ...needed, whitespace: true }]}
      >
        <Input maxLength={128} />
      </Form.Item>
      <Form.Item
        name="files"
        label={say('file')}
        valuePropName="fileList"
        getValueFromEvent={(change: { fileList: Wanted['files'] }) => change.fileList.slice(-1)}
        rules={[{ required: true, message: say('fileNeeded') }]}
      >
        <Upload.Dragger accept="image/png,image/jpeg,image/webp,.pdf" beforeUpload={() => false} maxCount={1}>
          <InboxOutlined className="drop-icon" />
          <div>{say('drop')}</div>
          <div className="quiet">{say('fileHint')}</div>
        </Upload.Dragger>
      </Form.Item>
      {file && isPdf(file) && (
        <Form.Item name="page" label={say('page')}>
          <InputNumber min={1} max={MOST_PAGES} precision={0} />
        </Form.Item>
      )}
    </>
  );
}
