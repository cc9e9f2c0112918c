import * as z from 'zod/mini';
import {
  type FileOfEvent,
  fileOfEvent,
  piecePath,
  previewPath,
  STATES_PATH,
  type StatesRequest,
} from '../../../common/uplink/evidence.ts';
import { jsonOf } from '../answer.ts';
import { type Failed, type HubCallOptions, HubCalls } from '../hub-calls.ts';
import { bringPiece, type Full, fullOrFailed, type PieceOutcome } from './piece.ts';

export type StatesOutcome =
  /** `here`: offered files that headquarters holds already. */
  { kind: 'answered'; here: FileOfEvent[] } | Failed;

const statesForm = z.object({ here: z.array(z.object(fileOfEvent)) });

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
    return fullOrFailed(this.#calls.failed(http), http.status);
  }

  piece(
    wantId: string,
    offset: number,
    piece: { body: Buffer; size: number; signal: AbortSignal },
  ): Promise<PieceOutcome> {
    return bringPiece(this.#calls, piecePath(wantId, offset), piece);
  }
}
