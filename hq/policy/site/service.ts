import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { LibraryRequest } from '../../../common/uplink/library.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import type { LibraryReach, SiteLibraryPort } from './port.ts';
import { type SiteLevel, siteRank } from './record.ts';

const gzip = promisify(zlib.gzip);

export interface LibraryAnswersOptions {
  libraries: Pick<SiteLibraryPort, 'files' | 'clauses'>;
  /** Tenants of a live site; null: there is no such site. */
  tenantsOf: (instance: string) => Promise<readonly string[] | null>;
  level: SiteLevel;
  epoch: () => string;
}

/** Answers sites that ask for the policies in force of their tenants (common/uplink/library.ts). */
export class LibraryAnswers {
  readonly #options: LibraryAnswersOptions;
  /** Since the start. */
  readonly counts = { files: 0, clauses: 0, bytes: 0 };

  constructor(options: LibraryAnswersOptions) {
    this.#options = options;
  }

  /** @returns compressed JSON: `FilesAnswer` or `ClausesAnswer`, as was asked */
  async answer({ instance, tenant_code: tenantCode, ask }: LibraryRequest): Promise<Buffer> {
    const { libraries, tenantsOf, level, epoch } = this.#options;
    const tenants = await tenantsOf(instance);
    const maxRank = tenants?.includes(tenantCode) ? siteRank(level) : null;
    const reach: LibraryReach = { tenantCode, maxRank };
    const head = { protocol: PROTOCOL, epoch: epoch() };
    const known = ask.kind === 'files' && ask.hub_epoch === head.epoch;
    const told =
      ask.kind === 'files'
        ? await libraries.files(reach, { ...ask, known })
        : await libraries.clauses(reach, ask);
    const bytes = await gzip(JSON.stringify({ ...head, ...told }));
    this.counts[ask.kind] += 1;
    this.counts.bytes += bytes.length;
    return bytes;
  }
}
