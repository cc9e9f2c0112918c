import type { KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Clock, type Stamp, stampOf } from '../../../common/clock.ts';
import { type Page, pagedList } from '../../../common/cursor.ts';
import { AppError, badRequest, conflict, fault, forbidden, notFound } from '../../../common/http/error.ts';
import { faultsOf } from '../../../common/http/validate.ts';
import {
  isSignedBy,
  keyName,
  type Manifest,
  manifestForm,
  type SignedManifest,
} from '../../../common/uplink/upgrade/manifest.ts';
import { packageKey } from '../../policy/original/original.ts';
import type { OriginalTransfer } from '../../policy/original/transfer.ts';
import type { ReleaseKeys } from './keys.ts';
import type { ReleasePort, WantedPackage } from './port.ts';
import type { KeptPackage, Release } from './record.ts';

const RELEASES = pagedList('releases', ['number', 'string']);

/** Who calls, as the audit keeps it and as people are shown. */
export interface Caller {
  actor: string;
  name: string;
  /** null: bound to no tenant. */
  tenantCode: string | null;
}

export interface ReleaseServiceOptions {
  releases: ReleasePort;
  transfer: Pick<OriginalTransfer, 'takeAs' | 'pieceOf' | 'removeAs'>;
  keys: ReleaseKeys;
  clock: Clock;
}

/** Releases, and the bytes of their packages. They are of the whole installation, not of a tenant. */
export class ReleaseService {
  readonly #options: ReleaseServiceOptions;

  constructor(options: ReleaseServiceOptions) {
    this.#options = options;
  }

  /**
   * @throws AppError 400 with all that is wrong with the manifest, 409 release_exists, 422 release_unsigned,
   *   403 for who is bound to a tenant, 503 release_keys_unreadable
   */
  async add(document: SignedManifest, by: Caller): Promise<{ release: Release; created: boolean }> {
    mustBeUnbound(by);
    const manifest = manifestOf(document);
    const keys = this.#options.keys.all();
    if (keys !== null && signerOf(document, keys) === null) throw unsigned(document, keys);
    const { version, packages } = manifest;
    const outcome = await this.#options.releases.add(
      { version, document, packages, by: by.name },
      this.#by(by),
    );
    if (outcome === 'other')
      throw conflict(
        'release_exists',
        `The version ${version} is here with another document. No version is given twice: make a new one.`,
      );
    return { release: await this.get(version), created: outcome === 'added' };
  }

  /** @throws AppError 404 */
  async get(version: string): Promise<Release> {
    const release = await this.#options.releases.get(version);
    if (!release) throw notFound(`The release ${version}`);
    return release;
  }

  /** Newest first. @throws AppError 400 for another list's cursor */
  async list(cursor: string | undefined, limit: number): Promise<Page<Release>> {
    const at = RELEASES.positionOf(cursor);
    const rows = await this.#options.releases.list(at && { addedAt: at[0], version: at[1] }, limit + 1);
    return RELEASES.page(rows, limit, ({ addedAt, version }) => [addedAt, version]);
  }

  /**
   * Takes the bytes of a package; those of one that is here already are not read.
   * @throws AppError 404, 422 package_mismatch, 403, 503, 507; nothing is left then
   */
  async upload(
    version: string,
    architecture: string,
    { body, by }: { body: () => AsyncIterable<Buffer>; by: Caller },
  ): Promise<{ release: Release; stored: boolean }> {
    mustBeUnbound(by);
    const wanted = packageOf(await this.get(version), architecture);
    if (wanted.storedAt !== null) return { release: await this.get(version), stored: false };
    const { transfer, releases } = this.#options;
    const key = packageKey({ version, sha256: wanted.sha256 });
    await transfer.takeAs(key, wanted, body(), () => mismatch(wanted));
    if (!(await releases.stored(version, wanted.architecture, this.#by(by)))) {
      await transfer.removeAs(key);
      throw notFound(`The release ${version}`);
    }
    return { release: await this.get(version), stored: true };
  }

  /** @throws AppError 404, 403, 409 release_in_use */
  async remove(version: string, by: Caller): Promise<void> {
    mustBeUnbound(by);
    const removed = await this.#options.releases.remove(version, this.#by(by));
    if (removed === null) throw notFound(`The release ${version}`);
    if (removed === 'in_use')
      throw conflict('release_in_use', `A rollout of ${version} is not over; abort it first.`);
    for (const { sha256 } of removed.packages)
      await this.#options.transfer.removeAs(packageKey({ version, sha256 }));
  }

  /** The key here that signed it; null: it was not checked. @throws AppError 503 */
  checkedWith({ document }: Release): string | null {
    const signer = signerOf(document, this.#options.keys.all() ?? []);
    return signer && keyName(signer);
  }

  /** The package, where the site was told to have it. @throws AppError 404 */
  async wanted(instance: string, sha256: string): Promise<WantedPackage> {
    const wanted = await this.#options.releases.wanted(instance, sha256);
    if (!wanted) throw notFound('The package');
    return wanted;
  }

  /** @throws AppError 404 where the place of the packages has lost it, 503 */
  async piece(wanted: WantedPackage, offset: number, bytes: number): Promise<Readable> {
    const found = await this.#options.transfer.pieceOf(packageKey(wanted), offset, bytes);
    if (!found) throw notFound('The package');
    return found;
  }

  #by({ actor }: Caller): { actor: string; stamp: Stamp } {
    return { actor, stamp: stampOf(this.#options.clock) };
  }
}

const signerOf = (document: SignedManifest, keys: readonly KeyObject[]): KeyObject | null =>
  keys.find((key) => isSignedBy(document, [key])) ?? null;

/** @throws AppError 400 with every fault */
function manifestOf(document: SignedManifest): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(document.manifest, 'base64').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw fault('manifest', 'wrong_form');
    throw error;
  }
  const parsed = manifestForm.safeParse(value);
  if (!parsed.success) throw badRequest(faultsOf(parsed.error.issues, 'manifest'));
  return parsed.data;
}

function packageOf(release: Release, architecture: string): KeptPackage {
  const found = release.packages.find((one) => one.architecture === architecture);
  if (!found) throw notFound(`A package of ${release.version} for ${architecture}`);
  return found;
}

function mustBeUnbound({ tenantCode }: Caller): void {
  if (tenantCode !== null)
    throw forbidden(
      'Releases are of the whole installation; you are bound to a tenant.',
      '版本包属于整个系统，仅限某一租户的用户不能添加或删除。',
    );
}

const unsigned = (document: SignedManifest, keys: readonly KeyObject[]): AppError =>
  new AppError(
    422,
    'release_unsigned',
    `No key here signed this release (it names the key ${document.key}; here are ` +
      `${keys.map(keyName).join(', ') || 'none'}). Nothing was stored.`,
  );

const mismatch = ({ name, size, sha256 }: KeptPackage): AppError =>
  new AppError(
    422,
    'package_mismatch',
    `The body is not ${name} of the release: ${size} bytes with SHA-256 ${sha256}. Nothing was stored.`,
  );
