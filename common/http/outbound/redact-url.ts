/** The address without its user name, password, query and fragment, which may hold secrets. */
export function redactUrl(address: string): string {
  const url = new URL(address);
  return url.origin + url.pathname;
}

/** Scheme, an authority with whatever stands before its `@`, and all that follows up to the end of a word. */
const ADDRESS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>\\/@]*@)?([^\s"'<>\\/?#]*)([^\s"'<>\\]*)/gi;

/**
 * The text with each address cut down to scheme, host and port: for what leaves the machine, as many services
 * take a path or a query for the credential.
 */
export const redactUrls = (text: string): string =>
  text.replace(ADDRESS, (_, scheme: string, host: string, rest: string) =>
    rest.length > 1 ? `${scheme}${host}/…` : `${scheme}${host}${rest}`,
  );
