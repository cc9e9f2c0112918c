import { type Clock, stampOf } from '../../common/clock.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { EvidenceLimits, EvidencePort, OverRoom } from '../../common/core/evidence/port.ts';
import { previewOf } from '../../common/core/evidence/preview.ts';
import { fullRoom } from '../../common/core/evidence/room/decide.ts';
import { overRoom } from '../../common/core/evidence/service.ts';
import { AppError, notFound } from '../../common/http/error.ts';
import type { PieceAnswer } from '../../common/uplink/evidence.ts';
import { decideWhole, ROOM_RETRY_S } from './decide.ts';
import type { PartFiles } from './parts.ts';
import type { Want, WantPort } from './port.ts';

export interface PieceReceiverOptions {
  wants: WantPort;
  evidence: EvidencePort;
  files: EvidenceFiles;
  parts: PartFiles;
  limits: EvidenceLimits;
  clock: Clock;
}

/** A piece as a site brings it. */
export interface Piece {
  wantId: string;
  offset: number;
  bytes: Buffer;
  /** Names under which the caller's events arose. */
  owned: ReadonlySet<string>;
  /** For the audit. */
  actor: string;
}

/**
 * Takes files of sites in pieces. Invariant: what an answer says is held is durable, and is counted in the
 * want only after the disk has it; so a piece that is repeated after a crash is written over itself.
 */
export class PieceReceiver {
  /** Since the start. */
  readonly counts = { pieces: 0, bytes: 0, kept: 0, mismatched: 0, overRoom: 0 };
  readonly #options: PieceReceiverOptions;

  constructor(options: PieceReceiverOptions) {
    this.#options = options;
  }

  /**
   * @throws AppError 404 for what is not wanted (any more); 409 evidence_offset with the right one; 422
   *   evidence_mismatch; 503 evidence_unavailable; 507 evidence_limit, storage_full
   */
  async take(piece: Piece): Promise<PieceAnswer> {
    const want = await this.#options.wants.find(piece.wantId);
    if (!want || want.settledAt !== null || want.kind !== 'keep' || !piece.owned.has(want.instance))
      throw notFound(`The wanted file ${piece.wantId}`);
    const held = await this.#heldOf(want);
    const end = piece.offset + piece.bytes.length;
    if (piece.offset !== held || end > want.size) throw offsetError(want, held);
    // Also for a call that only asks how far it is: no bytes are sent that have no room.
    if (held < want.size || want.size === 0) await this.#admit(want, piece.bytes.length);
    if (piece.bytes.length > 0 || want.size === 0) {
      await this.#options.parts.write(want.id, held, piece.bytes);
      if (!(await this.#options.wants.hold(want.id, held, end, this.#options.clock.now()))) {
        const now = await this.#options.wants.find(want.id);
        if (!now) throw notFound(`The wanted file ${piece.wantId}`);
        throw offsetError(now, now.held);
      }
      this.counts.pieces += 1;
      this.counts.bytes += piece.bytes.length;
    }
    const done = end === want.size;
    if (done) await this.#whole(want, piece.actor);
    return { wantId: want.id, offset: end, size: want.size, done };
  }

  /** What the want says, unless less of it is on this disk: then that was lost, and it begins again. */
  async #heldOf(want: Want): Promise<number> {
    if (want.held === 0 || (await this.#options.parts.size(want.id)) >= want.held) return want.held;
    // The file may be in its place already, where a crash came before its row.
    if (want.held === want.size && (await this.#options.files.standing(want)) === 'whole') return want.held;
    await this.#options.wants.hold(want.id, want.held, 0, this.#options.clock.now());
    return 0;
  }

  async #admit(want: Want, bytes: number): Promise<void> {
    const uses = [...(await this.#options.evidence.use()), ...(await this.#options.wants.heldBytes())];
    // The rest of this file is to fit too: half a file is of no use to anybody.
    const full = fullRoom(uses, want, Math.max(bytes, want.size - want.held), this.#options.limits);
    if (full) throw this.#over(full.over);
  }

  #over(over: OverRoom): AppError {
    this.counts.overRoom += 1;
    return overRoom(over, this.#options.limits, ROOM_RETRY_S);
  }

  async #whole(want: Want, actor: string): Promise<void> {
    const inPlace = (await this.#options.files.standing(want)) === 'whole';
    if (!inPlace) await this.#check(want);
    const stamp = stampOf(this.#options.clock);
    const { tenantCode, instance, eventId, name, size, sha256 } = want;
    const record = { tenantCode, instance, eventId, name, size, sha256, storedAt: stamp.now };
    // The partial file was counted until now; from here on the stored file is.
    const outcome = await this.#options.evidence.store(record, this.#options.limits, actor, stamp);
    if (outcome !== 'stored' && outcome !== 'known') throw this.#over(outcome);
    await this.#options.wants.fulfilled(want, stamp.now);
    await this.#options.parts.remove(want.id);
    this.counts.kept += 1;
    await this.#dropPreview(want);
  }

  /** Whoever looks sees the file itself from now on. */
  async #dropPreview({ tenantCode, eventId, name }: Want): Promise<void> {
    const preview = previewOf(await this.#options.evidence.ofEvent(tenantCode, eventId), name);
    if (!preview) return;
    await this.#options.evidence.forget([preview]);
    await this.#options.files.remove(eventId, preview.sha256);
  }

  /** @throws AppError 422 evidence_mismatch */
  async #check(want: Want): Promise<void> {
    const verdict = decideWhole(want, await this.#options.parts.measure(want.id));
    if (verdict.kind === 'keep') return this.#options.parts.keep(want.id, want.eventId, want.sha256);
    this.counts.mismatched += 1;
    await this.#options.parts.remove(want.id);
    await this.#options.wants.mismatched(
      want.id,
      verdict.kind === 'give_up' ? verdict.reason : null,
      this.#options.clock.now(),
    );
    throw new AppError(
      422,
      'evidence_mismatch',
      'What came is not the file that was announced. Begin it again.',
      { extra: { offset: 0 } },
    );
  }
}

function offsetError(want: Want, held: number): AppError {
  return new AppError(409, 'evidence_offset', `Go on from byte ${held} of ${want.size}.`, {
    retryable: false,
    extra: { offset: held },
  });
}
