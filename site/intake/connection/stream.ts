import type { IncomingMessage } from 'node:http';
import { PartReader, PartTooLarge, type PartReaderOptions } from '../message/part-reader.ts';
import type { Part } from '../record.ts';
import { ConnectionFault } from './fault.ts';
import type { Session } from './session.ts';

/** Bytes of one part: a picture of eight megapixels. */
const MAX_PART = 8 * 1024 * 1024;

export interface PartStreamOptions extends Pick<PartReaderOptions, 'boundary' | 'whole'> {
  /** Hands a part over; the stream is not read meanwhile, so that the device waits, too. */
  onPart: (part: Part) => Promise<void>;
}

/** Reads parts from an answer that does not end, until it does. @throws ConnectionFault */
export async function readParts(
  session: Session,
  answer: IncomingMessage,
  { boundary, whole, onPart }: PartStreamOptions,
): Promise<void> {
  const parts: Part[] = [];
  const reader = new PartReader({
    boundary,
    maxPart: MAX_PART,
    ...(whole ? { whole } : {}),
    onPart: (part) => parts.push(part),
  });
  const handOver = async (): Promise<void> => {
    for (let part = parts.shift(); part; part = parts.shift()) await onPart(part);
  };
  try {
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      session.alive();
      reader.push(bytes);
      await handOver();
    }
  } catch (error) {
    if (!(error instanceof PartTooLarge)) throw error;
    const { host } = new URL(session.device.config.address ?? '');
    throw new ConnectionFault(
      { code: 'device_answer_wrong', params: { host, reason: error.message } },
      error,
    );
  } finally {
    answer.destroy();
  }
  reader.end();
  await handOver();
}
