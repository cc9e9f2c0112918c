import { Alert, Button, Flex, type TableColumnsType, Tag } from 'antd';
import { useState } from 'react';
import { DataTable } from '../../../list/data-table.tsx';
import { useAct } from '../../../page/act.ts';
import { AsOf } from '../../../page/fault.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { FormDialog } from '../../integration/form-dialog.tsx';
import { changeOf, type Draft, Fields, shownOf } from './fields.tsx';
import { nameWords } from './name-words.ts';
import { changeSite, type Setting, type SettingForm, type SiteSettings, useSettings } from './queries.ts';
import { SettingsState } from './state.tsx';
import { useValueText } from './value.tsx';
import { words } from './words.ts';

/** What is in use at a site, whose values they are, and what became of what was set here. */
export function Settings({ instance }: { instance: string }) {
  const say = useWords(words);
  const query = useSettings(instance);
  const [changing, change] = useState<SiteSettings | null>(null);
  const { forms = [], settings } = query.data ?? {};
  const columns = useColumns(forms);
  const ask = useAct({
    act: (version: number) => changeSite(instance, {}, version),
    changes: [['settings']],
    done: () => say('asked'),
  });
  return (
    <Flex vertical gap="small">
      <span className="quiet">{say('why')}</span>
      <AsOf query={query} />
      {settings && (
        <>
          <Standing settings={settings} />
          <Flex gap="small" wrap>
            <Button type="primary" onClick={() => change(settings)}>
              {say('change')}
            </Button>
            <Button onClick={() => ask.run(settings.version)} loading={ask.pending}>
              {say('ask')}
            </Button>
          </Flex>
        </>
      )}
      <DataTable<Setting>
        rowKey="name"
        columns={columns}
        dataSource={settings?.settings ?? []}
        query={query}
      />
      {changing && <ChangeDialog forms={forms} settings={changing} close={() => change(null)} />}
    </Flex>
  );
}

/** The version that was set last, and what became of it. */
function Standing({ settings }: { settings: SiteSettings }) {
  const say = useWords(words);
  const sayName = useWords(nameWords);
  const { language } = useLanguage();
  const { version, by, at, reason, reasonZh, faults } = settings;
  const lines = faults.map((one) => (language === 'zh' ? one.reasonZh : one.reason));
  const why = language === 'zh' ? reasonZh : reason;
  // What the site says names variables; people know them by what they are.
  const named = [...(why === null ? [] : [why]), ...lines].map((text) => spoken(text, settings, sayName));
  return (
    <>
      <Flex gap="small" wrap align="center">
        <SettingsState settings={settings} />
        {by !== null && at !== null && (
          <span className="quiet">
            {say('setBy', { version, by: by.replace(/^user:/, '') })} <Time at={at} />
          </span>
        )}
      </Flex>
      {named.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={named.map((text) => (
            <div key={text}>{text}</div>
          ))}
        />
      )}
    </>
  );
}

const spoken = (
  text: string,
  { settings }: SiteSettings,
  sayName: (name: Setting['name']) => string,
): string => settings.reduce((said, { name }) => said.replaceAll(name, sayName(name)), text);

function useColumns(forms: readonly SettingForm[]): TableColumnsType<Setting> {
  const say = useWords(words);
  const sayName = useWords(nameWords);
  const text = useValueText();
  const shown = (name: Setting['name'], value: number | string | null): string | null => {
    const form = forms.find((one) => one.name === name);
    return form ? text(form, value) : null;
  };
  return [
    { key: 'name', title: say('name'), render: (_, { name }) => sayName(name) },
    {
      key: 'inUse',
      title: say('inUse'),
      render: (_, { name, inUse }) =>
        inUse ? shown(name, inUse.value) : <span className="quiet">{say('unknown')}</span>,
    },
    {
      key: 'from',
      title: say('from'),
      render: (_, { inUse }) =>
        inUse && (
          <Tag
            color={inUse.from === 'standard' ? 'default' : inUse.from === 'headquarters' ? 'blue' : 'gold'}
          >
            {say(inUse.from)}
          </Tag>
        ),
    },
    { key: 'set', title: say('set'), render: (_, { name, set }) => set !== null && shown(name, set) },
    {
      key: 'overruled',
      render: (_, { overruled }) => overruled && <span className="quiet">{say('overruled')}</span>,
    },
  ];
}

function ChangeDialog({
  forms,
  settings,
  close,
}: {
  forms: readonly SettingForm[];
  settings: SiteSettings;
  close: () => void;
}) {
  const say = useWords(words);
  const { instance, version } = settings;
  const act = useAct({
    act: (draft: Draft) => changeSite(instance, changeOf(draft, forms), version),
    changes: [['settings']],
    done: () => say('sent'),
    then: close,
    quiet: true,
  });
  const set = settings.settings.filter((one) => one.set !== null);
  const values = set.flatMap(({ name, set: value }) => {
    const form = forms.find((one) => one.name === name);
    return form ? [[name, shownOf(form, value)]] : [];
  });
  const initial: Draft = { names: [], values: Object.fromEntries(values) as NonNullable<Draft['values']> };
  return (
    <FormDialog<Draft>
      open
      title={say('changeTitle', { site: instance })}
      ok={say('send')}
      initial={initial}
      act={act}
      close={close}
    >
      <Fields forms={forms} />
    </FormDialog>
  );
}
