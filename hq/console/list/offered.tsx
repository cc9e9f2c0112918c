import { AutoComplete } from 'antd';
import { useState } from 'react';
import { Settled } from './settled.tsx';

export interface Offer {
  value: string;
  /** What people call it; left out: its value. */
  label?: string;
}

const textOf = ({ value, label }: Offer): string =>
  label === undefined || label === value ? value : `${label} · ${value}`;

/**
 * A filter that is typed, with what is known to choose from: it acts when one is chosen, on Enter, and when
 * the field is left. What is not known can be typed all the same.
 * @param opened told when somebody begins with it, for what is fetched only then
 */
export function Offered({
  label,
  value,
  options,
  change,
  className = 'filter-choice',
  maxLength = 128,
  opened,
}: {
  label: string;
  value: string | undefined;
  options: readonly Offer[];
  change: (value: string | undefined) => void;
  className?: string;
  maxLength?: number;
  opened?: () => void;
}) {
  const [shown, show] = useState(false);
  // What was typed and not yet set outlives whatever else comes for the field meanwhile.
  const [typed, type] = useState<string | null>(null);
  const set = (text: string): void => {
    type(null);
    const next = text.trim() || undefined;
    if (next !== value) change(next);
  };
  return (
    <Settled className={className} label={label}>
      <AutoComplete
        className={className}
        placeholder={label}
        aria-label={label}
        value={(typed ?? value) || null}
        onChange={(text: string | null | undefined) => type(text ?? '')}
        open={shown}
        onOpenChange={(open) => {
          show(open);
          if (open) opened?.();
        }}
        defaultActiveFirstOption={false}
        popupMatchSelectWidth={false}
        options={options.map((one) => ({ value: one.value, label: textOf(one) }))}
        showSearch={{
          filterOption: (text, option) => option?.label.toLowerCase().includes(text.toLowerCase()) ?? false,
        }}
        maxLength={maxLength}
        allowClear
        onSelect={(chosen: string | null | undefined) => set(chosen ?? '')}
        onClear={() => set('')}
        onBlur={({ target }) => set((target as HTMLInputElement).value)}
        onInputKeyDown={({ key, currentTarget }) => {
          if (key !== 'Enter') return;
          set((currentTarget as HTMLInputElement).value);
          show(false);
        }}
      />
    </Settled>
  );
}
