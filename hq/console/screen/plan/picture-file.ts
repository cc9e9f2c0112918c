// Makes of a file what the hub takes for a plan: a picture that a telephone can show.

/** What the hub takes, bytes. */
const MOST_BYTES = 760 * 1024;
/** The first that fits: the longest side in pixels, readable when it is enlarged, and the quality. */
const TRIES = [
  { longest: 2_600, quality: 0.9 },
  { longest: 2_600, quality: 0.75 },
  { longest: 2_000, quality: 0.75 },
  { longest: 1_400, quality: 0.7 },
  { longest: 1_000, quality: 0.6 },
] as const;
const LONGEST = TRIES[0].longest;
const PDF = 'application/pdf';

/** A file that this browser cannot draw. @param pages of the PDF, where it was the page that is not there */
export class Unreadable extends Error {
  readonly pages: number | null;
  constructor(cause: unknown, pages: number | null = null) {
    super('the file cannot be drawn', { cause });
    this.pages = pages;
  }
}

export const isPdf = (file: File): boolean => file.type === PDF || /\.pdf$/i.test(file.name);

/** @param page of a PDF, from 1 @returns the picture in base64 @throws Unreadable */
export async function pictureOfFile(file: File, page: number): Promise<string> {
  const canvas = isPdf(file) ? await drawnPage(file, page) : await drawnPicture(file);
  for (const { longest, quality } of TRIES) {
    const blob = await blobOf(smaller(canvas, longest), quality);
    if (blob.size <= MOST_BYTES) return base64Of(blob);
  }
  throw new Unreadable('it is too large');
}

/** WebP, or JPEG of a browser that writes none. */
async function blobOf(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  for (const type of ['image/webp', 'image/jpeg']) {
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
    if (blob?.type === type) return blob;
  }
  throw new Unreadable('no picture was made');
}

function smaller(whole: HTMLCanvasElement, longest: number): HTMLCanvasElement {
  const scale = longest / Math.max(whole.width, whole.height);
  if (scale >= 1) return whole;
  const { canvas, context } = sheet(whole.width * scale, whole.height * scale);
  context.drawImage(whole, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function drawnPicture(file: File): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Unreadable(cause);
  });
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const { canvas, context } = sheet(bitmap.width * scale, bitmap.height * scale);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

async function drawnPage(file: File, page: number): Promise<HTMLCanvasElement> {
  const { getDocument } = await import('unpdf/pdfjs');
  const loading = getDocument({ data: new Uint8Array(await file.arrayBuffer()) });
  try {
    const pdf = await loading.promise.catch((cause: unknown) => {
      throw new Unreadable(cause);
    });
    if (page > pdf.numPages) throw new Unreadable('no such page', pdf.numPages);
    const found = await pdf.getPage(page);
    const whole = found.getViewport({ scale: 1 });
    const viewport = found.getViewport({ scale: LONGEST / Math.max(whole.width, whole.height) });
    const { canvas, context } = sheet(viewport.width, viewport.height);
    await found.render({ canvas, canvasContext: context, viewport }).promise;
    return canvas;
  } finally {
    await loading.destroy();
  }
}

/** White, since a drawing without a ground would vanish in the dark. */
function sheet(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Unreadable('this browser draws nothing');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return { canvas, context };
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => fail(new Unreadable(reader.error));
    reader.readAsDataURL(blob);
  });
}
