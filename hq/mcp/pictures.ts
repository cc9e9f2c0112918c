import { Readable } from 'node:stream';
import { AppError } from '../../common/http/error.ts';
import type { Reply } from '../../common/http/route.ts';
import type { Content } from './answer.ts';
import type { Members } from './dispatch.ts';

/** Pictures of an event that a model is shown at most, and the bytes of each. */
const MOST_PICTURES = 3;
const MOST_BYTES = 1024 * 1024;

const LIST = 'GET /api/core/events/{id}/evidence';
const FILE = 'GET /api/core/events/{id}/evidence/{name}';

interface Listed {
  items: { name: string; contentType: string; size: number; stored: boolean }[];
}

/** Makes a call of the API in the caller's place. @throws AppError */
export type CallApi = (name: string, members: Members) => Promise<Reply>;

/** The first pictures of an event, small where there are small ones; a note in the place of each other. */
export async function picturesOf(call: CallApi, event: unknown): Promise<Content[]> {
  const id = Number(event);
  try {
    const { body } = await call(LIST, { id });
    const { items } = (typeof body === 'string' ? JSON.parse(body) : body) as Listed;
    const pictures = items.filter(({ contentType: type }) => type.startsWith('image/'));
    const shown = await Promise.all(
      pictures.slice(0, MOST_PICTURES).map((picture) => pictureOf(call, id, picture)),
    );
    const left = pictures.length - shown.length;
    return left > 0
      ? [...shown, note(`${left} more pictures are not shown 另有 ${left} 张图片未显示`)]
      : shown;
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      return [note(`No pictures: ${error.message} 无法读取图片`)];
    throw error;
  }
}

const note = (text: string): Content => ({ type: 'text', text });

async function pictureOf(call: CallApi, id: number, file: Listed['items'][number]): Promise<Content> {
  const { name } = file;
  const reply =
    (await opened(call, { id, name, size: 'small' })) ??
    (file.stored && file.size <= MOST_BYTES ? await opened(call, { id, name }) : null);
  const bytes = reply?.status === undefined || reply.status === 200 ? await bytesOf(reply) : null;
  if (reply === null || bytes === null)
    return note('A picture is not here, or too large to be shown. 有一张图片不在总部，或过大。');
  return {
    type: 'image',
    data: bytes.toString('base64'),
    mimeType: (reply.contentType ?? file.contentType).split(';')[0] ?? 'image/jpeg',
  };
}

/** null: there is none that can be shown. */
async function opened(call: CallApi, members: Members): Promise<Reply | null> {
  try {
    return await call(FILE, members);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** null: it has none, or too many. */
async function bytesOf(reply: Reply | null): Promise<Buffer | null> {
  const body = reply?.body;
  if (Buffer.isBuffer(body)) return body.length > MOST_BYTES ? null : body;
  if (!(body instanceof Readable)) return null;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop destroys the stream.
    if (size > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
