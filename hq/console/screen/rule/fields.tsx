import { InputNumber, Select, Switch } from 'antd';
import { Member, useMember } from './member.tsx';

export const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Texts, one after another. */
export function Tags({
  path,
  label,
  placeholder,
  extra,
}: {
  path: string;
  label: string;
  placeholder: string;
  extra?: string;
}) {
  const { value, set } = useMember(path);
  return (
    <Member path={path} label={label} extra={extra}>
      <Select<string[]>
        id={`rule-${path}`}
        mode="tags"
        open={false}
        suffixIcon={null}
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
