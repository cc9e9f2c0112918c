// The process that makes small pictures: what a hostile or damaged picture does to it, it does to nobody
// else. It is told the file, and answers with a JPEG or with why there is none.
import sharp from 'sharp';
import type { ShrinkAnswer, ShrinkOrder } from './pictures.ts';

/** Longest side, pixels. */
const SIDE = 320;
/** A camera of 8K has 33 million pixels; decoded these take 200 MB. */
const MOST_PIXELS = 50_000_000;

sharp.cache(false);
sharp.concurrency(1);
// Of all that the library reads, what cameras send.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}File`),
});

async function shrink(file: string): Promise<ShrinkAnswer> {
  try {
    // Of a picture that breaks off, what there is.
    const jpeg = await sharp(file, { limitInputPixels: MOST_PIXELS, failOn: 'none', autoOrient: true })
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 75 })
      .toBuffer();
    return { kind: 'made', jpeg };
  } catch (error) {
    const tooMany = error instanceof Error && error.message.includes('pixel limit');
    return {
      kind: 'unreadable',
      reason: tooMany
        ? `it has more than ${MOST_PIXELS / 1_000_000} million pixels`
        : 'it is not a JPEG, PNG, WebP or GIF picture that can be read',
    };
  }
}

process.on('message', ({ file }: ShrinkOrder) => void shrink(file).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' } satisfies ShrinkAnswer);
