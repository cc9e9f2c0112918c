/**
 * The committed pages of a write-ahead log (https://www.sqlite.org/fileformat2.html, "The Write-Ahead Log").
 * SQLite takes the first frame whose checksum is wrong for the end of the log. Here the frames behind it
 * count as well: each one's checksum goes on from the one that is stored in the frame before, so that every
 * frame can be checked by itself.
 */
import fs from 'node:fs';
import { isPage, PAGE_BYTES } from './page.ts';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
/** Page numbers beyond this are those of no store. */
const MAX_PAGE = 0x10_00_00_00;

export interface WalPages {
  /** Where the newest committed copy of a page begins in the file, by page number. */
  offsets: Map<number, number>;
  /** Frames of it are gone: some pages are older than others. */
  patchy: boolean;
  /** Size of the database after the last commit, pages; 0 without one. */
  pages: number;
}

/** @param read bytes of the log at an offset; null where the disk does not give them */
export function readWal(bytes: number, read: (at: number, length: number) => Buffer | null): WalPages {
  const header = read(0, HEADER_BYTES);
  const first = read(HEADER_BYTES, FRAME_HEADER_BYTES);
  const found: WalPages = { offsets: new Map(), patchy: false, pages: 0 };
  if (header === null || first === null) return found;
  const whole =
    header.readUInt32BE(0) >>> 1 === 0x377f0682 >>> 1 &&
    sumOf(header.subarray(0, 24), [0, 0]).equals(header.subarray(24, 32));
  // The first frame has the salts of its header.
  const salts = whole ? header.subarray(16, 24) : first.subarray(8, 16);
  if (salts.every((byte) => byte === 0)) return found;
  let before = whole ? header.subarray(24, 32) : null;
  /** Copies of pages since the last commit frame. */
  let open: [page: number, offset: number][] = [];
  let passed = false;
  for (let at = HEADER_BYTES; at + FRAME_BYTES <= bytes; at += FRAME_BYTES) {
    const frame = read(at, FRAME_BYTES);
    if (frame === null || !frame.subarray(8, 16).equals(salts)) {
      before = null;
      passed = true;
      continue;
    }
    found.patchy ||= passed;
    const [page, size, data] = [
      frame.readUInt32BE(0),
      frame.readUInt32BE(4),
      frame.subarray(FRAME_HEADER_BYTES),
    ];
    // Behind a frame that is gone nothing can be said of the checksum.
    const good =
      before === null
        ? isPage(data, page)
        : sumOf(data, wordsOf(sumOf(frame.subarray(0, 8), wordsOf(before)))).equals(frame.subarray(16, 24));
    before = Buffer.from(frame.subarray(16, 24));
    // A page with one wrong bit is mostly intact and is used; when it is no b-tree page any more, an older
    // copy is worth more.
    if (page > 0 && page < MAX_PAGE && (good || isPage(data, page)))
      open.push([page, at + FRAME_HEADER_BYTES]);
    else found.patchy = true;
    if (!good || size === 0) continue;
    for (const [number, offset] of open) found.offsets.set(number, offset);
    found.pages = size;
    open = [];
  }
  return found;
}

const wordsOf = (sum: Buffer): [number, number] => [sum.readUInt32BE(0), sum.readUInt32BE(4)];

/**
 * The checksum of the log over whole pairs of words, in the byte order of every machine that the program
 * runs on.
 */
function sumOf(data: Buffer, [a, b]: [number, number]): Buffer {
  for (let at = 0; at < data.length; at += 8) {
    a = (a + data.readUInt32LE(at) + b) | 0;
    b = (b + data.readUInt32LE(at + 4) + a) | 0;
  }
  const sum = Buffer.alloc(8);
  sum.writeInt32BE(a, 0);
  sum.writeInt32BE(b, 4);
  return sum;
}

/** Whether a log holds a committed page; false when there is none. */
export function holdsPages(file: string): boolean {
  if (!fs.existsSync(file)) return false;
  const fd = fs.openSync(file, 'r');
  try {
    return (
      readWal(fs.fstatSync(fd).size, (at, length) => {
        const bytes = Buffer.alloc(length);
        return fs.readSync(fd, bytes, 0, length, at) === length ? bytes : null;
      }).offsets.size > 0
    );
  } finally {
    fs.closeSync(fd);
  }
}
