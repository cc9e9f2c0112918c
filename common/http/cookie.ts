import type { IncomingMessage } from 'node:http';

export const SESSION_COOKIE = 'fieldline_session';
export const DEVICE_COOKIE = 'fieldline_device';

/** The first cookie of that name. */
export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

export interface CookieOptions {
  path: string;
  maxAgeSeconds: number;
  /** Whether it is sent back by TLS only; for a caller that came by it. */
  secure: boolean;
}

/** Text of a Set-Cookie header. @param value of characters that a cookie may hold */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const secure = options.secure ? '; Secure' : '';
  return (
    `${name}=${value}; Path=${options.path}; Max-Age=${options.maxAgeSeconds}; HttpOnly; ` +
    `SameSite=Lax${secure}`
  );
}
