// The process that makes small pictures: what a hostile or damaged picture does to it, it does to nobody
// else. It is told the file and its bounds, and answers with a JPEG or with why there is none.
import sharp from 'sharp';
import type { ShrinkAnswer, ShrinkOrder } from './pictures.ts';

const QUALITY = 75;
/** What is tried in turn where the picture may have so many bytes only: longest side, quality. */
const SMALLER = [
  [1, 60],
  [1, 45],
  [0.75, 45],
  [0.5, 40],
  [0.25, 30],
] as const;

sharp.cache(false);
sharp.concurrency(1);
// Of all that the library reads, what cameras send.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}File`),
});

async function shrink({ file, side, most, bytes }: ShrinkOrder): Promise<ShrinkAnswer> {
  try {
    const {
      isProgressive = false,
      width,
      height,
    } = await sharp(file, {
      limitInputPixels: most.pixels,
    }).metadata();
    // Such a picture is held whole while it is read, several bytes for each pixel.
    if (isProgressive && width * height > most.progressive) return tooMany(most.progressive);
    for (const [share, quality] of bytes === null ? ([[1, QUALITY]] as const) : SMALLER) {
      const jpeg = await smaller(file, most.pixels, Math.round(side * share), quality);
      if (bytes === null || jpeg.length <= bytes) return { kind: 'made', jpeg };
    }
    return { kind: 'unreadable', reason: `it cannot be made smaller than ${bytes} bytes` };
  } catch (error) {
    if (error instanceof Error && error.message.includes('pixel limit')) return tooMany(most.pixels);
    return { kind: 'unreadable', reason: 'it is not a JPEG, PNG, WebP or GIF picture that can be read' };
  }
}

/** Of a picture that breaks off, what there is. */
const smaller = (file: string, limitInputPixels: number, side: number, quality: number): Promise<Buffer> =>
  sharp(file, { limitInputPixels, failOn: 'none', autoOrient: true })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality })
    .toBuffer();

const tooMany = (pixels: number): ShrinkAnswer => ({
  kind: 'unreadable',
  reason: `it has more than ${pixels / 1_000_000} million pixels`,
});

process.on('message', (order: ShrinkOrder) => void shrink(order).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' } satisfies ShrinkAnswer);
