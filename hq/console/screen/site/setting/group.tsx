import { ControlOutlined } from '@ant-design/icons';
import { Button, type TableColumnsType, Typography } from 'antd';
import { useState } from 'react';
import { DataTable } from '../../../list/data-table.tsx';
import { useAct } from '../../../page/act.ts';
import { AsOf } from '../../../page/fault.tsx';
import { useSession } from '../../../session/session.tsx';
import { useWords } from '../../../word/language.tsx';
import { FormDialog } from '../../integration/form-dialog.tsx';
import { SiteName } from '../name.tsx';
import { changeOf, type Draft, Fields } from './fields.tsx';
import { changeGroup, type SiteSettings, useGroupSettings } from './queries.ts';
import { SettingsState } from './state.tsx';
import { words } from './words.ts';

/** Sets something at all sites of a group; for who may. */
export function GroupSettings({ group }: { group: string }) {
  const say = useWords(words);
  const { can } = useSession();
  const [open, setOpen] = useState<string | null>(null);
  if (!can('sites.configure')) return null;
  return (
    <>
      <Button icon={<ControlOutlined />} onClick={() => setOpen(group)}>
        {say('ofGroup')}
      </Button>
      {open !== null && <GroupDialog group={open} close={() => setOpen(null)} />}
    </>
  );
}

function GroupDialog({ group, close }: { group: string; close: () => void }) {
  const say = useWords(words);
  const query = useGroupSettings(group);
  const { forms = [], items = [] } = query.data ?? {};
  const act = useAct({
    act: (draft: Draft) => changeGroup(group, changeOf(draft, forms)),
    changes: [['settings']],
    done: () => say('sent'),
    quiet: true,
  });
  const columns: TableColumnsType<SiteSettings> = [
    { key: 'site', title: say('site'), render: (_, { instance }) => <SiteName of={instance} /> },
    { key: 'state', title: say('state'), render: (_, settings) => <SettingsState settings={settings} /> },
  ];
  return (
    <FormDialog<Draft>
      open
      title={say('groupTitle', { group })}
      ok={say('send')}
      initial={{ names: [] }}
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('groupWhy', { count: items.length })}</Typography.Paragraph>
      <AsOf query={query} />
      <Fields forms={forms} />
      <DataTable<SiteSettings> rowKey="instance" columns={columns} dataSource={items} query={query} />
    </FormDialog>
  );
}
