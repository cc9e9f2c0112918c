import fs from 'node:fs';
import type { GroupCommit } from './group-commit.ts';
import type { Meta } from './meta.ts';

/** The identity of the store, which every cursor travels with. */
export class StoreEpoch {
  #group: GroupCommit;
  #meta: Meta;
  #newId: () => string;
  #current: string;

  /** Makes the epoch of a new store, and makes it durable before anything is stored under it. */
  constructor(group: GroupCommit, meta: Meta, walFd: number, newId: () => string) {
    this.#group = group;
    this.#meta = meta;
    this.#newId = newId;
    const found = meta.text('epoch');
    this.#current = found ?? newId();
    if (found !== null) return;
    meta.set('epoch', this.#current);
    fs.fdatasyncSync(walFd);
  }

  get current(): string {
    return this.#current;
  }

  /** Takes a new epoch. @param alongside runs in the transaction that stores it @returns the new epoch */
  async renew(alongside: () => void): Promise<string> {
    const next = this.#newId();
    await this.#group.write(() => {
      alongside();
      this.#meta.set('epoch', next);
    });
    this.#current = next;
    return next;
  }
}
