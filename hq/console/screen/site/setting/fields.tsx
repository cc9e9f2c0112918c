import { Form, InputNumber, Select } from 'antd';
import { useWords } from '../../../word/language.tsx';
import { hintWords, nameWords } from './name-words.ts';
import type { Change, SettingForm, SettingName, Value } from './queries.ts';
import { GIGABYTE, useValueText } from './value.tsx';
import { words } from './words.ts';

/** What the form holds: the chosen names, and a value for each; bytes in gigabytes. */
export interface Draft {
  names?: SettingName[];
  values?: Partial<Record<SettingName, Value | null>>;
}

/** Chooses what is to change, and what to. Nobody types a name. */
export function Fields({ forms }: { forms: readonly SettingForm[] }) {
  const say = useWords(words);
  const sayName = useWords(nameWords);
  const chosen = Form.useWatch<SettingName[] | undefined>('names') ?? [];
  return (
    <>
      <Form.Item name="names" label={say('which')} rules={[{ required: true, message: say('needed') }]}>
        <Select
          mode="multiple"
          placeholder={say('choose')}
          optionFilterProp="label"
          options={forms.map(({ name }) => ({ value: name, label: sayName(name) }))}
        />
      </Form.Item>
      {forms
        .filter(({ name }) => chosen.includes(name))
        .map((form) => (
          <Field key={form.name} form={form} />
        ))}
    </>
  );
}

function Field({ form }: { form: SettingForm }) {
  const say = useWords(words);
  const sayName = useWords(nameWords);
  const sayHint = useWords(hintWords);
  const text = useValueText();
  const { name, kind, unit, least, most, choices } = form;
  const bounds =
    least === null || most === null
      ? null
      : say('bounds', { least: least === 0 ? '0' : text(form, least), most: text(form, most) });
  const hint = [sayHint(name), bounds].filter((one) => one !== null).join(' · ');
  const scale = unit === 'bytes' ? GIGABYTE : 1;
  return (
    <Form.Item name={['values', name]} label={sayName(name)} extra={hint}>
      {kind === 'choice' ? (
        <Select
          allowClear
          placeholder={say('value')}
          options={choices.map((value) => ({ value, label: text(form, value) }))}
        />
      ) : (
        <InputNumber
          className="form-full"
          placeholder={say('value')}
          min={(least ?? 0) / scale}
          max={(most ?? 0) / scale}
          {...(scale === 1 ? { precision: 0 } : {})}
          suffix={unit && say(`unit_${unit}`)}
        />
      )}
    </Form.Item>
  );
}

/** The change of a draft; a field that was left empty leaves the setting to the program. */
export function changeOf({ names = [], values = {} }: Draft, forms: readonly SettingForm[]): Change {
  return Object.fromEntries(
    names.map((name) => {
      const value = values[name] ?? null;
      const isBytes = forms.some((form) => form.name === name && form.unit === 'bytes');
      return [name, isBytes && typeof value === 'number' ? Math.round(value * GIGABYTE) : value];
    }),
  );
}

/** Values as their fields show them. */
export const shownOf = (form: SettingForm, value: Value | null): Value | null =>
  form.unit === 'bytes' && typeof value === 'number' ? value / GIGABYTE : value;
