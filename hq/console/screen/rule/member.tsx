import { Form } from 'antd';
import { createContext, type ReactNode, useContext } from 'react';
import { type ToldFault, toldIn } from '../../page/refusal.ts';
import { useLanguage } from '../../word/language.tsx';
import { type Body, valueAt, withValue } from './draft.ts';

interface Writing {
  body: Body;
  change: (body: Body) => void;
  faults: readonly ToldFault[];
}

export const WritingContext = createContext<Writing>({ body: {}, change: () => undefined, faults: [] });

/** A member of the body by its path, and how it is changed. */
export function useMember(path: string) {
  const { body, change } = useContext(WritingContext);
  const names = path.split('.');
  return {
    value: valueAt(body, names),
    set: (value: unknown) => change(withValue(body, names, value)),
  };
}

/** A field of the form, with what is wrong with its member below it. @param path within the body */
export function Member({
  path,
  label,
  extra,
  wide = false,
  children,
}: {
  path: string;
  label: string;
  extra?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  const { language } = useLanguage();
  const { faults } = useContext(WritingContext);
  const here = faults.filter((fault) => isAt(fault.path, `body.${path}`));
  return (
    <Form.Item
      label={label}
      htmlFor={`rule-${path}`}
      extra={extra}
      className={wide ? 'form-wide' : ''}
      {...(here.length > 0 && {
        validateStatus: 'error' as const,
        help: here.map((fault) => <div key={fault.path}>{toldIn(fault, language)}</div>),
      })}
    >
      {children}
    </Form.Item>
  );
}

export const isAt = (path: string, member: string): boolean =>
  path === member || path.startsWith(`${member}.`) || path.startsWith(`${member}[`);
