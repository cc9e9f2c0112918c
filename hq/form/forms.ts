// Forms of headquarters, read by koa-body. What it would read without a bound is bounded before it, and said
// beside it.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type File, multipart as multipartPlugin } from 'formidable';
import type Koa from 'koa';
import { koaBody } from 'koa-body';
import {
  bodyBrokenOff,
  bodyTooLarge,
  DEFAULT_MAX_BODY,
  readStream,
  refuseEncoded,
} from '../../common/http/body/body.ts';
import { AppError, badRequest, storageFull } from '../../common/http/error.ts';
import { faultAt } from '../../common/http/fault/fault.ts';
import { MAX_FORM_TEXTS, mostFormBytes, type UploadedFile } from '../../common/http/form/form.ts';
import type { FormReader } from '../../common/http/form/reader.ts';
import type { Route } from '../../common/http/route.ts';
import type { Context, Middleware } from '../../common/http/state.ts';
import { timeSlice } from '../../common/time-slice.ts';
import { boundaryOf, malformed, MultipartCheck } from './multipart-check.ts';
import type { Upload, UploadFolder } from './upload-folder.ts';

const NOTHING_ELSE = { json: false, text: false, urlencoded: false, multipart: false, patchNode: false };
const MAX_TEXTS = 64;
/**
 * Bytes of a multipart body that are handed on in one go. Where a file looks like its boundary again and
 * again, or is all line breaks, formidable makes an object of nearly each byte.
 */
const PIECE = 1024;

export class Forms implements FormReader {
  #folder: UploadFolder;

  constructor(folder: UploadFolder) {
    this.#folder = folder;
  }

  urlencoded(route: Route): Middleware {
    const max = route.maxBody ?? DEFAULT_MAX_BODY;
    const read = koaBody({
      ...NOTHING_ELSE,
      urlencoded: true,
      formLimit: max,
      // The text as it came: a signature must be over it.
      includeUnparsed: true,
      // Names stay as they are written: `a[b]` is no object here.
      queryString: { allowDots: false, depth: 0, parseArrays: false, parameterLimit: MAX_TEXTS },
    });
    return async (ctx, next) => {
      // koa-body unfolds compressed bodies; this route takes none.
      refuseEncoded(ctx.req);
      // The room that the whole body may take, since koa-body does not say how much has come.
      ctx.state.hold.take(max);
      const values = await parsed(ctx, read, max);
      ctx.state.raw = Buffer.from(values.rawBody ?? '');
      ctx.state.signed = ctx.state.raw;
      ctx.state.form = textsOf(values.body);
      await next();
    };
  }

  multipart(route: Route): Middleware {
    const { files = {} } = route;
    const max = mostFormBytes(files);
    return (ctx, next) => {
      refuseEncoded(ctx.req);
      const check = new MultipartCheck(boundaryOf(ctx.req.headers['content-type']), {
        files,
        texts: MAX_TEXTS,
        textBytes: MAX_FORM_TEXTS,
      });
      return this.#folder.during(async (upload) => {
        const checked = Readable.from(checkedPieces(readStream(ctx.req, max), check), { objectMode: false });
        try {
          const request = Object.assign(checked, { headers: ctx.req.headers });
          const values = await parsed(ctx, koaBody(multipartOptions(files, upload)), max, request);
          requireFiles(files, check.end());
          ctx.state.form = textsOf(values.body);
          ctx.state.files = filesOf(values.files, upload);
        } finally {
          checked.destroy();
        }
        await next();
      });
    };
  }
}

function multipartOptions(files: Route['files'] & object, upload: Upload): Parameters<typeof koaBody>[0] {
  const sizes = Object.values(files).map(({ maxBytes }) => maxBytes);
  return {
    ...NOTHING_ELSE,
    multipart: true,
    formidable: {
      // formidable would choose its other parsers by words in the boundary.
      enabledPlugins: [multipartPlugin],
      maxFields: MAX_TEXTS,
      maxFieldsSize: MAX_FORM_TEXTS,
      maxFiles: sizes.length,
      maxFileSize: Math.max(...sizes),
      maxTotalFileSize: sizes.reduce((sum, size) => sum + size, 0),
      hashAlgorithm: 'sha256',
      fileWriteStreamHandler: (file) => upload.create(newNameOf(file)),
    },
  };
}

/** The name that formidable made; that of the caller never reaches the disk. */
const newNameOf = (file: unknown): string => (file as File).newFilename;

/** Piece by piece, in fair slices: what looks like a boundary again and again is slow to read. */
async function* checkedPieces(parts: AsyncIterable<Buffer>, check: MultipartCheck): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE) {
      const piece = part.subarray(at, at + PIECE);
      check.take(piece);
      await timeSlice();
      yield piece;
    }
  }
  check.end();
}

interface Parsed {
  body?: Record<string, unknown>;
  rawBody?: string;
  files?: Record<string, File | File[]>;
}

/**
 * What koa-body makes of a request.
 * @param request what it reads in place of the request itself
 * @throws AppError for every fault of the body
 */
async function parsed(ctx: Context, read: Koa.Middleware, max: number, request?: Readable): Promise<Parsed> {
  // Every route with a form is served by Koa.
  const koa = ctx as unknown as Koa.Context;
  const context = request ? (Object.create(koa, { req: { value: request } }) as Koa.Context) : koa;
  try {
    await read(context, () => Promise.resolve());
  } catch (error) {
    throw faultOf(error, max);
  }
  return koa.request as Parsed;
}

interface Fault {
  /** Of raw-body, which reads urlencoded bodies. */
  type?: string;
  /** Of formidable. */
  httpCode?: number;
  /** Of the file system. */
  code?: unknown;
}

function faultOf(error: unknown, max: number): unknown {
  if (error instanceof AppError) return error;
  const { type, httpCode, code } = error as Fault;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storageFull();
  if (type === 'entity.too.large' || httpCode === 413) return bodyTooLarge(max);
  if (type === 'request.aborted' || type === 'request.size.invalid') return bodyBrokenOff(error);
  if (httpCode === 400) return malformed('a file must not be empty, and every part must be whole');
  return error;
}

/** @throws AppError 400 */
function textsOf(given: Record<string, unknown> = {}): Record<string, string> {
  const entries = Object.entries(given);
  const repeated = entries.filter(([, value]) => typeof value !== 'string');
  if (repeated.length > 0) throw badRequest(repeated.map(([path]) => faultAt(path, 'given_twice')));
  return Object.fromEntries(entries) as Record<string, string>;
}

/** @throws AppError 400 */
function requireFiles(files: Route['files'] & object, names: ReadonlySet<string>): void {
  const missing = Object.keys(files).filter((name) => !names.has(name));
  if (missing.length > 0) throw badRequest(missing.map((path) => faultAt(path, 'required')));
}

const filesOf = (files: Parsed['files'], upload: Upload): Record<string, UploadedFile> =>
  Object.fromEntries(
    Object.entries(files ?? {}).flatMap(([name, file]) =>
      Array.isArray(file) ? [] : [[name, uploaded(file, upload)]],
    ),
  );

const uploaded = (file: File, upload: Upload): UploadedFile => ({
  fileName: file.originalFilename ?? '',
  contentType: (file.mimetype ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
  size: file.size,
  sha256: file.hash ?? '',
  read: () => createReadStream(upload.pathOf(file.newFilename)) as AsyncIterable<Buffer>,
});
