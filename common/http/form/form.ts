// What forms are, for routes that take them. `hq/form/` reads them.
import type { IncomingMessage } from 'node:http';

/** A file of a form, on the disk until its request is answered. */
export interface UploadedFile {
  /** As the caller named it; no name for a file system. */
  fileName: string;
  /** Media type in lower case, without parameters. */
  contentType: string;
  size: number;
  /** Lower-case hexadecimal. */
  sha256: string;
  read(): AsyncIterable<Buffer>;
}

/** What a route says of a file that comes in a part of its form. */
export interface FilePart {
  maxBytes: number;
  description: string;
}

/** What all text parts of a form may hold together, bytes. */
export const MAX_FORM_TEXTS = 64 * 1024;
/** Room for the boundaries and headers of all parts, bytes. */
const MAX_FORM_HEADS = 80 * 1024;

/** Most bytes of a whole form with these files. */
export const mostFormBytes = (files: Readonly<Record<string, FilePart>>): number =>
  Object.values(files).reduce((sum, { maxBytes }) => sum + maxBytes, MAX_FORM_TEXTS + MAX_FORM_HEADS);

/** Whether the body is a form without files. */
export const isForm = (request: IncomingMessage): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
