import { type ReactNode, useDeferredValue } from 'react';

/**
 * A field that is heavy to draw, such as a choice or a period: a dozen of them take longer than the rows that
 * they filter. The first picture has their places, of the same size, and the fields come right behind it.
 * @param className says how wide the field is, as the field's own
 */
export function Settled({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  const drawn = useDeferredValue(true, false);
  if (drawn) return children;
  return (
    <span aria-hidden className={`field-place ${className}`}>
      {label}
    </span>
  );
}
