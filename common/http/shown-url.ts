/** An address without what may open it: user name, password and query. */
export function shownUrl(address: string): string {
  const url = new URL(address);
  return url.origin + url.pathname;
}
