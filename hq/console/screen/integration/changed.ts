/**
 * What of a form was changed: the rest is not sent, so that it stays what others made of it meanwhile.
 * @param shown what the form began with
 */
export const changedOf = <F extends object>(shown: Partial<F>, typed: F): Partial<F> =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => shown[name as keyof F] !== value),
  ) as Partial<F>;
