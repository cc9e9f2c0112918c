/** Reads a query without taking texts for numbers: `?q=123` is the text "123". */
export function parseSearch(search: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {};
  for (const name of new Set(new URLSearchParams(search).keys())) {
    const values = new URLSearchParams(search).getAll(name);
    read[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return read;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined && one !== null && one !== '') written.append(name, String(one));
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}
