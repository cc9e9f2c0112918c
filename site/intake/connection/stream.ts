import type { IncomingMessage } from 'node:http';
import { PartReader, type PartReaderOptions, PartTooLarge } from '../message/part-reader.ts';
import type { Part } from '../record.ts';
import { ConnectionFault } from './fault.ts';
import type { Session } from './session.ts';

/** Bytes of one part: a picture of eight megapixels. */
const MAX_PART = 8 * 1024 * 1024;

export interface PartStreamOptions extends Pick<PartReaderOptions, 'boundary' | 'whole'> {
  /**
   * Hands a part over; the stream is not read meanwhile, so that the device waits, too.
   * @param brokenOff whether the stream broke off in it, so that it may be less than the device has sent
   */
  onPart: (part: Part, brokenOff: boolean) => Promise<void>;
  /** Bytes of parts that were handed over and are not stored yet. */
  kept?: () => number;
}

/**
 * Reads parts from an answer that does not end, until it does. What came of the last one is handed over too,
 * where the stream breaks off. @throws ConnectionFault
 */
export async function readParts(
  session: Session,
  answer: IncomingMessage,
  { boundary, whole, onPart, kept = () => 0 }: PartStreamOptions,
): Promise<void> {
  const parts: Part[] = [];
  const reader = new PartReader({
    boundary,
    maxPart: MAX_PART,
    ...(whole ? { whole } : {}),
    onPart: (part) => parts.push(part),
  });
  const handOver = async (brokenOff = false): Promise<void> => {
    for (let part = parts.shift(); part; part = parts.shift())
      await onPart(part, brokenOff && parts.length === 0);
  };
  let counted = 0;
  try {
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      session.alive();
      await session.hold(bytes.length);
      reader.push(bytes);
      await handOver();
      const held = reader.room + kept();
      session.free(counted + bytes.length - held);
      counted = held;
    }
  } catch (error) {
    if (!(error instanceof PartTooLarge)) {
      reader.end();
      await handOver(true);
      throw error;
    }
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
