import type { Readable } from 'node:stream';
import { AppError } from '../../../common/http/error.ts';
import { counter, gauge, type Metric } from '../../../common/metrics.ts';

/** Pieces that are read and sent at a time. Each is a file that is open, or a connection to a bucket. */
export const PIECES_AT_ONCE = 64;
/** Between these a site is told to come again, seconds: not all at the same time. */
const AGAIN_S = { least: 5, most: 30 };

export interface PieceRoomOptions {
  /** Batches of events, and what else sites bring, that wait to be stored. */
  batchesWaiting: () => number;
  atOnce?: number;
  random?: () => number;
}

/**
 * Which pieces of packages are sent: a few at a time, and none is begun while what sites bring waits. A site
 * that is refused comes again; nothing of an upgrade is urgent.
 */
export class PieceRoom {
  /** Pieces under way, those sent since the start with their bytes, and those that were to come again. */
  readonly counts = { open: 0, sent: 0, bytes: 0, refused: 0 };
  readonly #options: PieceRoomOptions;

  constructor(options: PieceRoomOptions) {
    this.#options = options;
  }

  /** @param open begins to read @throws AppError 503 `releases_later`; what `open` throws */
  async send(bytes: number, open: () => Promise<Readable>): Promise<Readable> {
    const { batchesWaiting, atOnce = PIECES_AT_ONCE } = this.#options;
    if (this.counts.open >= atOnce || batchesWaiting() > 0) throw this.#later();
    this.counts.open += 1;
    try {
      const body = await open();
      body.once('close', () => (this.counts.open -= 1));
      this.counts.sent += 1;
      this.counts.bytes += bytes;
      return body;
    } catch (error) {
      this.counts.open -= 1;
      throw error;
    }
  }

  #later(): AppError {
    this.counts.refused += 1;
    const { random = Math.random } = this.#options;
    return new AppError(
      503,
      'releases_later',
      'Headquarters has more urgent work than packages, or sends as many as it may. Ask again later.',
      { retryAfterSeconds: Math.ceil(AGAIN_S.least + (AGAIN_S.most - AGAIN_S.least) * random()) },
    );
  }
}

export const pieceMetrics = ({ counts }: PieceRoom): Metric[] => [
  gauge('fieldline_release_pieces_open', 'Pieces of packages that are being sent', () => counts.open),
  counter('fieldline_release_pieces_total', 'Pieces of packages sent to sites', () => counts.sent),
  counter('fieldline_release_bytes_total', 'Bytes of packages sent to sites', () => counts.bytes),
  counter(
    'fieldline_release_pieces_refused_total',
    'Pieces of packages that sites were told to ask for later, while events waited or too many were sent',
    () => counts.refused,
  ),
];
