/**
 * The media type of a picture, by its first bytes; null for what is none. What a sender says of a file is not
 * believed, since browsers of others show it.
 */
export function pictureType(body: Buffer): string | null {
  if (body.length < 16) return null;
  if (body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff) return 'image/jpeg';
  if (body.subarray(0, 8).equals(PNG)) return 'image/png';
  if (body.subarray(0, 4).toString('latin1') === 'RIFF' && body.subarray(8, 12).toString('latin1') === 'WEBP')
    return 'image/webp';
  if (body.subarray(0, 4).toString('latin1') === 'GIF8') return 'image/gif';
  return body.subarray(0, 2).toString('latin1') === 'BM' && body.readUInt32LE(2) === body.length
    ? 'image/bmp'
    : null;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
