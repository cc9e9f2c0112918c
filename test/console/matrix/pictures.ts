// Keeps the screens as the matrix sees them, for whoever wants to look: `FIELDLINE_PICTURES` names a folder.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import type { Seen } from './walk.ts';

const folder = process.env.FIELDLINE_PICTURES;
/** What was there before any screen was kept. */
const wanted = new Set(
  folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.webp')),
);

/** An empty folder gets every screen; one with pictures gets those anew and no others. */
export function keeper(language: 'zh' | 'en'): Seen {
  if (folder === undefined) return () => Promise.resolve();
  return async (page, { route, address }, width) => {
    const tab = new URLSearchParams(address.split('?')[1]).get('tab');
    const screen = [...route.split('/').slice(1), ...(tab === null ? [] : [tab])]
      .join('-')
      .replaceAll('$', '');
    const name = `${screen}-${language}-${width}.webp`;
    if (wanted.size > 0 && !wanted.has(name)) return;
    const taken = await page.screenshot();
    writeFileSync(path.join(folder, name), await sharp(taken).webp({ quality: 82 }).toBuffer());
  };
}
