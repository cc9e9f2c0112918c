import { Input } from 'antd';

/** A filter that is typed: it acts on Enter, and when the field is left. */
export function Typed({
  label,
  value,
  change,
  className = 'filter-short',
  maxLength = 200,
}: {
  label: string;
  value: string | undefined;
  change: (value: string | undefined) => void;
  className?: string;
  maxLength?: number;
}) {
  const set = (typed: string): void => {
    const next = typed.trim() || undefined;
    if (next !== value) change(next);
  };
  return (
    <Input
      key={value}
      className={className}
      placeholder={label}
      aria-label={label}
      defaultValue={value}
      maxLength={maxLength}
      allowClear
      onPressEnter={({ currentTarget }) => set(currentTarget.value)}
      onBlur={({ currentTarget }) => set(currentTarget.value)}
      onClear={() => set('')}
    />
  );
}
