import * as crypto from 'node:crypto';

export interface Received {
  size: number;
  /** Lowercase hex. */
  sha256: string;
}

/** Digest and size of a body that is not kept. */
export async function measure(source: AsyncIterable<Buffer>): Promise<Received> {
  const digest = crypto.createHash('sha256');
  let size = 0;
  for await (const part of source) {
    digest.update(part);
    size += part.length;
  }
  return { size, sha256: digest.digest('hex') };
}
