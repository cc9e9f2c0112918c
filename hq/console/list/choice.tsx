import { Select } from 'antd';
import { Settled } from './settled.tsx';

interface Option<T> {
  value: T;
  label: string;
}

/** A filter that is chosen: one of the options, or `many` of them. */
export function Choice<T extends string>(
  props:
    | {
        many: true;
        label: string;
        value: T[] | undefined;
        options: Option<T>[];
        change: (value?: T[]) => void;
      }
    | {
        many?: never;
        label: string;
        value: T | undefined;
        options: Option<T>[];
        change: (value?: T) => void;
      },
) {
  const { label, options } = props;
  const common = {
    className: 'filter-choice',
    placeholder: label,
    'aria-label': label,
    allowClear: true,
    popupMatchSelectWidth: false,
    options,
  };
  return (
    <Settled className={common.className} label={label}>
      {props.many ? (
        <Select<T[]>
          {...common}
          mode="multiple"
          value={props.value ?? []}
          onChange={(chosen) => props.change(chosen.length === 0 ? undefined : chosen)}
        />
      ) : (
        <Select<T>
          {...common}
          value={props.value ?? null}
          onChange={(chosen) => props.change(chosen ?? undefined)}
        />
      )}
    </Settled>
  );
}
