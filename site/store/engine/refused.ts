import fs from 'node:fs';
import path from 'node:path';
import { say } from '../../../common/message.ts';
import { type StoreFault, storeMessages } from '../store-messages.ts';

/** A store that cannot or must not be opened, and is left as it is. Its message is the fault in English. */
export class StoreRefused extends Error {
  readonly forPeople = true;
  constructor(fault: StoreFault, cause?: unknown) {
    super(say(storeMessages, fault, 'en'), { cause });
  }
}

/** What is opened as a file of the store, or read before it. */
const FILES = ['site.lock', 'site.db', 'site.db-wal', 'site.db-shm', 'site.health', 'site.lost'];

/** @throws StoreRefused where something else than a file has the name of one: nobody could say what it is */
export function refuseFolders(dir: string): void {
  for (const name of FILES) {
    const file = path.join(dir, name);
    const found = fs.statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile())
      throw new StoreRefused({ code: 'not_openable', params: { file } });
  }
}
