import { storableText } from './http/body/json.ts';
import { fault } from './http/error.ts';

/**
 * Opaque list cursors: versioned and bound to the resource that issued them,
 * so that a cursor of one list is refused by another.
 */
export function encodeCursor(resource: string, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([1, resource, ...position])).toString('base64url');
}

/** @throws 400 when the cursor is malformed, of another version or of another resource */
export function decodeCursor(resource: string, text: string): (string | number)[] {
  const refuse = (): never => {
    throw fault('cursor', `is not a cursor of this list; leave it out to start from the beginning`);
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return refuse();
  }
  if (!Array.isArray(parsed) || parsed[0] !== 1 || parsed[1] !== resource) return refuse();
  const position: unknown[] = parsed.slice(2);
  if (!position.every((part) => (typeof part === 'string' ? storableText(part) : Number.isSafeInteger(part))))
    return refuse();
  if (encodeCursor(resource, position as (string | number)[]) !== text) return refuse();
  return position as (string | number)[];
}
