// Loaded only where an object store is configured.
import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline, Readable, Transform } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { MARK, MAX_ORIGINAL, type OriginalPlace, storageUnavailable } from './original.ts';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Where browsers reach the store; null: presigned addresses are not given out. */
  publicEndpoint: string | null;
  /** Milliseconds that the store may take to answer, and may be silent within an answer. Default 20 s. */
  requestMs?: number;
}

/** An answer that is no object: a list of a thousand keys is a few hundred kilobytes. Bytes. */
const MAX_SAID = 4 * 1024 * 1024;
/** Pages of one list: a thousand keys each. */
const MAX_PAGES = 1_000;
const A_MARK = /^[0-9a-f-]{36}$/;
const MARK_LENGTH = 36;
const CONNECT_MS = 3_000;
const REQUEST_MS = 20_000;

/** Originals in an object store that speaks S3, path style. */
export class S3Originals implements OriginalPlace {
  readonly lasts = true;
  #client: S3Client;
  #publicClient: S3Client | null;
  readonly #options: S3Options;

  constructor(options: S3Options) {
    const silence = options.requestMs ?? REQUEST_MS;
    const config: S3ClientConfig = {
      region: options.region,
      forcePathStyle: true,
      maxAttempts: 2,
      credentials: { accessKeyId: options.accessKey, secretAccessKey: options.secretKey },
      // Stores other than the original one do not know the newer checksums; the digest is compared here in
      // any case.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: silence,
        socketTimeout: silence,
        throwOnRequestTimeout: true,
      },
    };
    this.#options = options;
    this.#client = new S3Client({ ...config, endpoint: options.endpoint });
    boundAnswers(this.#client);
    this.#publicClient =
      options.publicEndpoint === null ? null : new S3Client({ ...config, endpoint: options.publicEndpoint });
  }

  get name(): string {
    return `${this.#options.bucket} (${this.#options.endpoint})`;
  }

  async mark(): Promise<string | null> {
    const found = await this.open(MARK);
    if (!found) return null;
    const text = await startOf(found);
    // What is no mark was put there by no hub, as the page of a proxy.
    if (!A_MARK.test(text)) throw storageUnavailable(new Error('the mark of the bucket is none'));
    return text;
  }

  setMark(mark: string): Promise<void> {
    return this.#put(MARK, Buffer.from(mark), mark.length);
  }

  async holds(key: string): Promise<boolean> {
    const found = await this.open(key);
    found?.destroy();
    return found !== null;
  }

  async put(key: string, file: string, size: number): Promise<void> {
    if (size > MAX_ORIGINAL) return this.#put(key, createReadStream(file), size);
    // Whole in memory, since a stream cannot be sent twice.
    const content = await readFile(file);
    if (content.length !== size) throw new Error('the file is of another size than was said');
    await this.#put(key, content, size);
  }

  async #put(key: string, Body: Buffer | ReadStream, size: number): Promise<void> {
    await reached(async () => {
      await this.#client.send(
        new PutObjectCommand({ Bucket: this.#options.bucket, Key: key, Body, ContentLength: size }),
      );
      // A page of a proxy or of a store's console answers 200 to anything and keeps nothing.
      const { ContentLength } = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#options.bucket, Key: key }),
      );
      if (ContentLength !== size)
        throw new Error(
          `of ${size} bytes that were put ${ContentLength ?? 'no'} are there; is the endpoint an ` +
            'object store?',
        );
    });
  }

  open(key: string): Promise<Readable | null> {
    return this.#get(key);
  }

  piece(key: string, offset: number, bytes: number): Promise<Readable | null> {
    return this.#get(key, `bytes=${offset}-${offset + bytes - 1}`);
  }

  async #get(key: string, range?: string): Promise<Readable | null> {
    const part = range === undefined ? {} : { Range: range };
    try {
      const { Body, ContentRange } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#options.bucket, Key: key, ...part }),
      );
      // A store that does not know ranges would send all of it.
      if (range !== undefined && ContentRange === undefined) {
        (Body as Readable | undefined)?.destroy();
        throw new Error('the object store does not give parts of objects');
      }
      return (Body as Readable | undefined) ?? null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw storageUnavailable(error);
    }
  }

  async remove(key: string): Promise<void> {
    await reached(() =>
      this.#client.send(new DeleteObjectCommand({ Bucket: this.#options.bucket, Key: key })),
    );
  }

  async check(): Promise<void> {
    await reached(async () =>
      listOf(
        await this.#client.send(
          new ListObjectsV2Command({ Bucket: this.#options.bucket, Prefix: 'kb/', MaxKeys: 1 }),
        ),
      ),
    );
  }

  async *list(prefix: string): AsyncGenerator<string> {
    let token: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const from = token;
      const page = await reached(async () =>
        listOf(
          await this.#client.send(
            new ListObjectsV2Command({
              Bucket: this.#options.bucket,
              Prefix: prefix,
              ...(from === undefined ? {} : { ContinuationToken: from }),
            }),
          ),
        ),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
      if (!page.IsTruncated) return;
      token = page.NextContinuationToken;
    }
    throw storageUnavailable(new Error('the list of objects has no end'));
  }

  async presign(key: string, fileName: string, seconds: number): Promise<string | null> {
    if (!this.#publicClient) return null;
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`;
    return getSignedUrl(
      this.#publicClient,
      new GetObjectCommand({
        Bucket: this.#options.bucket,
        Key: key,
        ResponseContentDisposition: disposition,
      }),
      { expiresIn: seconds },
    );
  }

  close(): void {
    this.#client.destroy();
    this.#publicClient?.destroy();
  }
}

/**
 * The client reads every answer but an object whole before it looks at it. One that does not end breaks off
 * here.
 */
function boundAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode?: number; body?: unknown };
        const isObject = commandName === 'GetObjectCommand' && response.statusCode === 200;
        if (!isObject && response.body instanceof Readable) response.body = bounded(response.body);
        return result;
      },
    { step: 'deserialize', priority: 'low' },
  );
}

function bounded(body: Readable): Readable {
  let bytes = 0;
  const bound = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(bytes > MAX_SAID ? new Error('the answer of the object store has no end') : null, part);
    },
  });
  // What fails is seen by who reads the other end.
  pipeline(body, bound, () => undefined);
  return bound;
}

/**
 * @throws Error for an answer that is no list, or not all of one: what is not named would be taken for
 * deleted
 */
function listOf(page: ListObjectsV2CommandOutput): ListObjectsV2CommandOutput {
  if (page.IsTruncated === undefined)
    throw new Error('the answer is no list of objects; is the endpoint an object store?');
  if (page.IsTruncated && page.NextContinuationToken === undefined)
    throw new Error('the list of objects breaks off');
  return page;
}

/** As many bytes as a mark has, and one more. */
async function startOf(body: Readable): Promise<string> {
  return reached(async () => {
    let text = '';
    for await (const part of body as AsyncIterable<Buffer>) {
      text += part.toString('latin1');
      if (text.length > MARK_LENGTH) break;
    }
    return text.slice(0, MARK_LENGTH + 1);
  });
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageUnavailable(error);
  }
}
