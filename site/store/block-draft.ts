import type { DocFacts } from '../../common/core/event/record.ts';
import { judgedGroup, type Judgement } from './block-table.ts';
import { textOf, type BlockGroups, type GroupKey } from './block-groups.ts';
import type { Word } from './dictionary.ts';
import { BlockBuilder, type SealedBlock } from './event-block.ts';
import type { Slices } from './slices.ts';

/** What a block holds of an event beside its facts. As an array, which takes two thirds of the time of an object. */
export type DraftRow = [id: number, tenant: Word, type: Word, kind: Word, source: Word, isTest: number, occurredAt: number | null];

interface Group {
  key: GroupKey;
  /** Its number in the store; null until it is looked up, and when it is new. */
  id: number | null;
}

/** A block in the making: events are added without their verdicts, then judged, and the block is sealed. */
export class BlockDraft {
  readonly firstId: number;
  readonly lastId: number;
  /** Id after the last that was added. */
  next: number;
  #builder: BlockBuilder;
  #groups: Group[] = [];
  #byHint = new Map<string, number>();
  #judged = new Map<string, number>();

  constructor(firstId: number, positions: number) {
    this.firstId = firstId;
    this.lastId = firstId + positions - 1;
    this.next = firstId;
    this.#builder = new BlockBuilder(firstId, positions);
  }

  /** Ids ascend; those that are left out have no event. */
  add(row: DraftRow, facts: DocFacts): void {
    const hint = hintOf(row, facts);
    let group = this.#byHint.get(hint);
    if (group === undefined) this.#byHint.set(hint, (group = this.#enter(keyOf(row, facts))));
    this.#builder.add(row[0], group, row[6], facts);
    this.next = row[0] + 1;
  }

  judge(judgement: Judgement): void {
    const group = this.#builder.groupOf(judgement.eventId);
    if (group === null) return;
    const key = judgedGroup((this.#groups[group] as Group).key, judgement);
    const text = textOf(key);
    let next = this.#judged.get(text);
    if (next === undefined) this.#judged.set(text, (next = this.#enter(key)));
    this.#builder.move(judgement.eventId, next);
  }

  /** Looks the groups up. @param known numbers by `textOf`, kept from block to block, since the next has mostly the same */
  async resolve(groups: BlockGroups, known: Map<string, number>, slices: Slices): Promise<void> {
    for (const group of this.#groups) {
      const text = textOf(group.key);
      group.id = known.get(text) ?? groups.find(group.key);
      if (group.id !== null) known.set(text, group.id);
      await slices.step();
    }
  }

  /** To be called in a transaction. */
  seal(groups: BlockGroups): SealedBlock {
    return this.#builder.finish((number) => {
      const { key, id } = this.#groups[number] as Group;
      return id ?? groups.ensure(key);
    });
  }

  #enter(key: GroupKey): number {
    return this.#groups.push({ key, id: null }) - 1;
  }
}

/** Different for different groups; the free text comes last. */
function hintOf([, tenant, type, kind, source, isTest, at]: DraftRow, { judged, judgedType }: DocFacts): string {
  return `${tenant} ${type} ${kind} ${source} ${isTest} ${at === null} ${judged} ${judgedType === null ? '' : `=${judgedType}`}`;
}

function keyOf([, tenant, type, kind, source, isTest, at]: DraftRow, { judged, judgedType }: DocFacts): GroupKey {
  return { tenant, type, kind, source, verdict: null, test: isTest === 1, judged, judgedType, dated: at !== null };
}
