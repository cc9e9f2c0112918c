// The pictures that come with alerts of Hikvision.
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import { textOf } from '../message/parts.ts';
import type { Part, Picture } from '../record.ts';

/** Whether a part that is of no form that is known may be a document all the same. */
export const mayBeDocument = ({ headers, body }: Part): boolean =>
  !/^(?:image|video|audio)\//i.test(headers['content-type'] ?? '') &&
  !/filename="?[^"]*\.(?:jpe?g|png)/i.test(headers['content-disposition'] ?? '') &&
  body.length > 0;

export function pictureOf({ body, headers }: Part, index: number): Picture {
  const contentType = pictureType(body) ?? 'image/jpeg';
  const disposition = headers['content-disposition'] ?? '';
  const named = /(?:file)?name="?([A-Za-z0-9][A-Za-z0-9_-]{0,40})/.exec(disposition)?.[1];
  const ending = contentType === 'image/jpeg' ? 'jpg' : contentType.slice('image/'.length);
  return { name: `${named ?? 'picture'}-${index + 1}.${ending}`, contentType, bytes: body };
}

/** How many pictures a document says that it brings in the same message or stream; null: it does not say. */
export function picturesAnnounced(part: Part): number | null {
  const text = textOf(part.body, part.headers['content-type']);
  // Those that are to be fetched from an address do not come in it.
  if (/detectionPictureTransType\W+url/i.test(text)) return 0;
  // Cameras, terminals at doors and cameras of plates have a word each.
  const told = /(?:picturesNumber|picNum)\W+(\d{1,3})/i.exec(text)?.[1];
  if (told !== undefined) return Number(told);
  const named = text.match(/["<]contentID\d?[">]/gi)?.length ?? 0;
  return named === 0 ? null : named;
}

/** How many pictures are waited for: one where it is said only that some come. */
export function picturesExpected(part: Part): number {
  const announced = picturesAnnounced(part);
  if (announced !== null) return announced;
  const text = textOf(part.body, part.headers['content-type']);
  return /detectionPictureTransType\W+binary/i.test(text) ? 1 : 0;
}
