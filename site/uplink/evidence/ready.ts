import type { EvidenceFiles } from '../../../common/core/evidence/files.ts';
import type { EvidenceWantPort, ReadyFile } from './port.ts';

/** A file that is not on this disk is tried again after this, ms. */
const REST_MS = 60_000;
/** Headquarters is told, since this site has no other copy. */
const DAMAGED = 'the file is damaged on the disk of the site, and lost unless it is mended there';
/** Files looked at for one that can go. */
const CANDIDATES = 50;

/** The files that headquarters wants and that lie on this disk. */
export class ReadyFiles {
  #wants: Pick<EvidenceWantPort, 'ready' | 'fail'>;
  #files: EvidenceFiles;
  /** Files that cannot go now, until when, monotonic ms. */
  #resting = new Map<string, number>();

  constructor(wants: Pick<EvidenceWantPort, 'ready' | 'fail'>, files: EvidenceFiles) {
    this.#wants = wants;
    this.#files = files;
  }

  /** The first of other tenants than these that can go. @param now monotonic ms */
  async next(now: number, without: readonly string[]): Promise<ReadyFile | null> {
    for (const file of this.#wants.ready(CANDIDATES, without)) {
      if ((this.#resting.get(file.id) ?? 0) > now) continue;
      this.#resting.delete(file.id);
      const standing = (await this.#files.present()) ? await this.#files.standing(file) : 'missing';
      if (standing === 'whole') return file;
      if (standing === 'damaged') await this.#wants.fail(file.id, DAMAGED);
      else this.#resting.set(file.id, now + REST_MS);
    }
    return null;
  }
}
