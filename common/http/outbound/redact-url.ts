/** The address without its user name, password, query and fragment, which may hold secrets. */
export function redactUrl(address: string): string {
  const url = new URL(address);
  return url.origin + url.pathname;
}
