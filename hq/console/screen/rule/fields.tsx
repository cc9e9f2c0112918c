import { InputNumber, Select, Switch } from 'antd';
import type { Offer } from '../../list/offered.tsx';
import { Member, useMember } from './member.tsx';

export const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Texts, one after another. @param offers what is known to choose from; what is not can be typed all the same
 * @param named what people call one; left out: what it is
 */
export function Tags({
  path,
  label,
  placeholder,
  extra,
  offers = [],
  named = (text) => text,
}: {
  path: string;
  label: string;
  placeholder: string;
  extra?: string;
  offers?: readonly Offer[];
  named?: (text: string) => string;
}) {
  const { value, set } = useMember(path);
  return (
    <Member path={path} label={label} extra={extra}>
      <Select<string[]>
        id={`rule-${path}`}
        mode="tags"
        {...(offers.length === 0 && { open: false, suffixIcon: null })}
        options={offers.map(({ value: code, label: name = code }) => ({
          value: code,
          label: `${name} · ${code}`,
        }))}
        showSearch={{ optionFilterProp: 'label' }}
        labelRender={({ value: code }) => <bdi title={String(code)}>{named(String(code))}</bdi>}
        placeholder={placeholder}
        tokenSeparators={[',', '，', ' ', '\n']}
        value={listOf(value)}
        onChange={(chosen) => set(chosen.length === 0 ? undefined : chosen)}
      />
    </Member>
  );
}

export function Amount({
  path,
  label,
  unit,
  extra,
}: {
  path: string;
  label: string;
  unit?: string;
  extra?: string;
}) {
  const { value, set } = useMember(path);
  return (
    <Member path={path} label={label} extra={extra}>
      <InputNumber
        id={`rule-${path}`}
        className="form-full"
        suffix={unit}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => set(next ?? undefined)}
      />
    </Member>
  );
}

/** On unless it is switched off. */
export function Flag({ path, label }: { path: string; label: string }) {
  const { value, set } = useMember(path);
  return (
    <Member path={path} label={label}>
      <Switch id={`rule-${path}`} checked={value !== false} onChange={set} />
    </Member>
  );
}
