// Where a person goes on who comes back from the provider of identities, kept for this tab.
const KEY = 'fieldline-back';

/** Nowhere but here: `//host` would be an address of somebody else. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path);

export function keepBack(path: string): void {
  window.sessionStorage.setItem(KEY, path);
}

/** Once. */
export function takeBack(): string {
  const path = window.sessionStorage.getItem(KEY) ?? '/';
  window.sessionStorage.removeItem(KEY);
  return isOwnPath(path) ? path : '/';
}
