import * as z from 'zod/mini';
import type { OutgoingAnswer } from '../../../common/http/outbound/client.ts';
import {
  type FileOfEvent,
  fileOfEvent,
  piecePath,
  previewPath,
  STATES_PATH,
  type StatesRequest,
} from '../../../common/uplink/evidence.ts';
import type { LinkFault } from '../../site-messages.ts';
import { jsonOf } from '../answer.ts';
import { type Failed, type HubCallOptions, HubCalls } from '../hub-calls.ts';

export type { Failed };
/** Headquarters has no room for files of this tenant now. */
export interface Full {
  kind: 'full';
  fault: LinkFault;
  retryAfterMs: number;
}
export type PieceOutcome =
  | { kind: 'held'; offset: number; done: boolean }
  /** Headquarters holds another number of bytes. */
  | { kind: 'elsewhere'; offset: number }
  /** Headquarters does not know the want. */
  | { kind: 'not_wanted' }
  | Full
  | Failed;
export type StatesOutcome =
  /** `here`: offered files that headquarters holds already. */
  { kind: 'answered'; here: FileOfEvent[] } | Failed;

const NO_ROOM = 507;
const statesForm = z.object({ here: z.array(z.object(fileOfEvent)) });
const pieceForm = z.object({ offset: z.int().check(z.minimum(0)), done: z._default(z.boolean(), false) });

/** The calls that bring evidence to headquarters. */
export class EvidenceCalls {
  #calls: HubCalls;

  constructor(options: HubCallOptions) {
    this.#calls = new HubCalls(options);
  }

  async states(request: StatesRequest, signal: AbortSignal): Promise<StatesOutcome> {
    const body = Buffer.from(JSON.stringify(request));
    const http = await this.#calls.send('POST', STATES_PATH, { body, type: 'application/json', signal });
    if ('kind' in http) return http;
    const parsed = http.status === 200 ? statesForm.safeParse(jsonOf(http)) : null;
    return parsed?.success ? { kind: 'answered', here: parsed.data.here } : this.#calls.failed(http);
  }

  /** @returns whether headquarters has it now; it never will where it does not */
  async preview(
    file: FileOfEvent,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<{ kind: 'told'; taken: boolean } | Full | Failed> {
    const type = 'image/jpeg';
    const http = await this.#calls.send('PUT', previewPath(file), { body, type, signal });
    if ('kind' in http) return http;
    if (http.status === 200) return { kind: 'told', taken: true };
    // An older version, or an event that is gone there: the file can be asked for.
    if ([400, 404, 413, 422].includes(http.status)) return { kind: 'told', taken: false };
    return this.#refused(http);
  }

  async piece(wantId: string, offset: number, body: Buffer, signal: AbortSignal): Promise<PieceOutcome> {
    const type = 'application/octet-stream';
    const http = await this.#calls.send('PUT', piecePath(wantId, offset), { body, type, signal });
    if ('kind' in http) return http;
    if (http.status === 404) return { kind: 'not_wanted' };
    const parsed = pieceForm.safeParse(jsonOf(http));
    if (parsed.success && http.status === 200) return { kind: 'held', ...parsed.data };
    if (parsed.success && (http.status === 409 || http.status === 422))
      return { kind: 'elsewhere', offset: parsed.data.offset };
    return this.#refused(http);
  }

  #refused(http: OutgoingAnswer): Full | Failed {
    const failed = this.#calls.failed(http);
    const { fault, retryAfterMs } = failed;
    return http.status === NO_ROOM ? { kind: 'full', fault, retryAfterMs } : failed;
  }
}
