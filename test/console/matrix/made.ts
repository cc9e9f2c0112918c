import { expectStatus, jsonOf } from '../../support/request.ts';
import type { ConsoleRig } from '../rig.ts';

/** What headquarters answers when something is made there. @throws when it refuses */
export const made = async <T>({ hub }: Pick<ConsoleRig, 'hub'>, path: string, body: object): Promise<T> =>
  jsonOf<T>(expectStatus(await hub.api('POST', path, body), 200, 201, 202));
