import type { Reachable } from '../../support/process.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';

/** What headquarters answers when something is made there. @throws when it refuses */
export const made = async <T>({ hub }: { hub: Reachable }, path: string, body: object): Promise<T> =>
  jsonOf<T>(expectStatus(await hub.api('POST', path, body), 200, 201, 202));
