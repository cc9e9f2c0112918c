// The policies in force, on SQLite. SQL, as its pages are written and read by position.
import type { Stamp } from '../../../../common/clock.ts';
import type { Message } from '../../../../common/message.ts';
import { setFingerprint, textFingerprint } from '../../../../common/policy/fingerprint.ts';
import {
  type ClausesAnswer,
  type FilesAnswer,
  libraryDigest,
  type LibraryFile,
  type LibrarySynonyms,
  MOST_KEPT,
} from '../../../../common/uplink/library.ts';
import {
  type FileState,
  type KeptClause,
  type Library,
  type LibraryCounts,
  type LibraryPort,
  LibraryRefused,
} from '../../../policy/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import type { Meta } from '../../engine/meta.ts';
import type { ChangeLog } from '../uplink/change-log.ts';
import { fileOf, type FileRow, type LibraryRow, prepareLibrary, rowOf } from './statements.ts';

const NO_SYNONYMS: LibrarySynonyms = { revision: 0, shipped: true, groups: [] };

export class SiteLibraries implements LibraryPort {
  #group: GroupCommit;
  #meta: Meta;
  #changes: ChangeLog;
  #sql: ReturnType<typeof prepareLibrary>;

  constructor(group: GroupCommit, meta: Meta, changes: ChangeLog) {
    this.#group = group;
    this.#meta = meta;
    this.#changes = changes;
    this.#sql = prepareLibrary(group.sqlite);
  }

  all(): Library[] {
    return this.#sql.all.all().map(libraryOf);
  }

  counts(tenantCode: string): LibraryCounts {
    return this.#sql.counts.get(tenantCode) ?? { files: 0, clauses: 0, coming: 0 };
  }

  begin(tenantCode: string, now: number): Promise<void> {
    if (this.#sql.of.get(tenantCode)) return Promise.resolve();
    return this.#group.write(() => {
      if (this.#sql.all.all().length >= MOST_KEPT.tenants)
        throw new Error('there are too many libraries here already');
      this.#sql.begin.run(tenantCode, JSON.stringify(NO_SYNONYMS), now);
    });
  }

  takeFiles(tenantCode: string, answer: FilesAnswer): Promise<void> {
    return this.#group.write(() => {
      const library = this.#of(tenantCode);
      const round = library.round + (answer.restart ? 1 : 0);
      const whole = library.whole === 1 || answer.restart;
      const policies = new Set<number>();
      for (const file of answer.files) this.#put(tenantCode, file, round, policies);
      for (const id of answer.gone) this.#drop(tenantCode, id, policies);
      const isLast = !answer.more;
      if (isLast && whole) {
        for (const id of this.#sql.before.all(tenantCode, round)) this.#drop(tenantCode, id, policies);
        // Numbers of clauses may be those of others by now.
        this.#meta.set('library_round', this.#meta.number('library_round') + 1);
      }
      for (const policy of policies) this.#dateEnds(tenantCode, policy);
      this.#checkSize();
      this.#sql.stand.run({
        tenant: tenantCode,
        hubEpoch: answer.epoch,
        through: answer.through,
        whole: whole && !isLast ? 1 : 0,
        round,
        told: isLast ? answer.version : library.told,
        digest: isLast ? answer.digest : library.digest,
        synonyms: JSON.stringify(answer.synonyms),
      });
    });
  }

  wanted(tenantCode: string, limit: number): { id: number; text_no: number; after: number }[] {
    return this.#sql.wanted.all(tenantCode, limit);
  }

  takeClauses(tenantCode: string, { texts, gone }: Pick<ClausesAnswer, 'texts' | 'gone'>): Promise<void> {
    return this.#group.write(() => {
      const policies = new Set<number>();
      for (const text of texts) this.#takeText(tenantCode, text);
      for (const id of gone) this.#drop(tenantCode, id, policies);
      for (const policy of policies) this.#dateEnds(tenantCode, policy);
    });
  }

  digest(tenantCode: string): string {
    return libraryDigest(this.#sql.kept.all(tenantCode).map(fileOf));
  }

  again(tenantCode: string): Promise<void> {
    return this.#group.write(() => {
      this.#sql.again.run(tenantCode);
      this.#sql.dropWanted.run(tenantCode, tenantCode);
    });
  }

  settle(tenantCode: string, reason: Message | null, stamp: Stamp): Promise<void> {
    return this.#group.write(() => {
      const { seq } = this.#of(tenantCode);
      const told = reason === null ? null : JSON.stringify(reason);
      if (reason === null) this.#sql.settle.run(stamp.now, tenantCode);
      else this.#sql.refuse.run(told, stamp.now, tenantCode);
      this.#changes.changed({ kind: 'library', id: seq, eventId: 0, eventKey: null }, stamp.now);
    });
  }

  synonyms(tenantCode: string): LibrarySynonyms {
    const row = this.#sql.of.get(tenantCode);
    return row ? (JSON.parse(row.synonyms) as LibrarySynonyms) : NO_SYNONYMS;
  }

  clauses(ids: readonly number[]): KeptClause[] {
    return this.#sql.clauses.all(JSON.stringify(ids)).map(({ chunkId, docId, ...row }) => ({
      chunk: {
        id: chunkId,
        seq: row.seq,
        clausePath: row.path,
        page: row.page,
        text: row.text,
        textSha256: row.textSha256,
      },
      document: { ...row, id: docId },
    }));
  }

  #of(tenantCode: string): LibraryRow {
    const row = this.#sql.of.get(tenantCode);
    if (!row) throw new Error(`there is no library of ${tenantCode}`);
    return row;
  }

  #put(tenantCode: string, file: LibraryFile, round: number, policies: Set<number>): void {
    const known = this.#sql.file.get(tenantCode, file.id);
    const kept = known !== undefined && known.state !== 'gone' && hasTextOf(known, file);
    if (known && kept && JSON.stringify(fileOf(known)) === JSON.stringify(fileOf({ ...known, ...file }))) {
      this.#sql.seen.run(round, tenantCode, file.id);
      return;
    }
    if (known && !kept) this.#sql.dropClauses.run(tenantCode, file.id);
    const state: FileState = kept ? known.state : 'wanted';
    this.#sql.putFile.run({ ...rowOf(tenantCode, file), state, round, changeNo: this.#next() });
    for (const policy of [file.policy_id, known?.policy_id ?? file.policy_id]) policies.add(policy);
  }

  #drop(tenantCode: string, id: number, policies: Set<number>): void {
    const known = this.#sql.file.get(tenantCode, id);
    if (!known || known.state === 'gone') return;
    this.#sql.dropClauses.run(tenantCode, id);
    this.#sql.state.run('gone', this.#next(), tenantCode, id);
    policies.add(known.policy_id);
  }

  /** A version ends on the day of the one that is scheduled behind it. */
  #dateEnds(tenantCode: string, policyId: number): void {
    const next = this.#sql.nextDay.get(tenantCode, policyId) ?? Infinity;
    for (const { id, validUntil, endsAt } of this.#sql.versions.all(tenantCode, policyId)) {
      const ends = Math.min(validUntil, next);
      if (endsAt !== ends) this.#sql.end.run(ends, this.#next(), tenantCode, id);
    }
  }

  #takeText(tenantCode: string, { id, text_no: textNo, clauses }: ClausesAnswer['texts'][number]): void {
    const file = this.#sql.file.get(tenantCode, id);
    if (!file || file.state !== 'wanted' || file.text_no !== textNo) return;
    let seq = this.#sql.lastSeq.get(tenantCode, id) ?? 0;
    for (const clause of clauses) {
      seq += 1;
      if (clause.seq !== seq || seq > file.clauses) throw wrongText(id);
      const textSha256 = textFingerprint(clause.text);
      this.#sql.addClause.run({
        ...clause,
        tenant: tenantCode,
        docId: id,
        textSha256,
        changeNo: this.#next(),
      });
    }
    if (clauses.length === 0) throw wrongText(id);
    if (seq < file.clauses) return;
    if (setFingerprint(this.#sql.fingerprints.all(tenantCode, id)) !== file.text_sha256) throw wrongText(id);
    this.#sql.state.run('here', this.#next(), tenantCode, id);
  }

  #checkSize(): void {
    const { files, clauses } = this.#sql.size.get() ?? { files: 0, clauses: 0 };
    if (files > MOST_KEPT.files || clauses > MOST_KEPT.clauses)
      throw new LibraryRefused({ code: 'library_large', params: { files, clauses } });
  }

  #next(): number {
    const no = this.#meta.number('library_no') + 1;
    this.#meta.set('library_no', no);
    return no;
  }
}

const wrongText = (file: number): LibraryRefused =>
  new LibraryRefused({ code: 'library_text', params: { file } });

const hasTextOf = (known: FileRow, file: LibraryFile): boolean =>
  known.text_no === file.text_no && known.text_sha256 === file.text_sha256 && known.clauses === file.clauses;

const libraryOf = ({ whole, reason, ...row }: LibraryRow): Library => ({
  ...row,
  whole: whole === 1,
  reason: reason === null ? null : (JSON.parse(reason) as Message),
});
