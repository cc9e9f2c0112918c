import * as z from 'zod/mini';
import { say, translate, type Catalogue, type MessageOf } from '../../message.ts';

/**
 * What an alarm says, for the store: the English sentence, and beside its details its code and particulars,
 * from which another language is made when it is read.
 */
export function alarmText<C extends Catalogue>(
  catalogue: C,
  message: MessageOf<C>,
  details: object = {},
): { message: string; details: object } {
  return { message: say(catalogue, message, 'en'), details: { ...details, told: message } };
}

const form = z.object({ told: z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) }) });

/**
 * Code of what an alarm says, and its Chinese sentence. Both are null for one that another instance reported,
 * which sends the sentence alone; the second also for a code that only another version knows.
 */
export function readAlarmText(
  catalogue: Catalogue,
  details: unknown,
): { code: string | null; messageZh: string | null } {
  const parsed = form.safeParse(details);
  if (!parsed.success) return { code: null, messageZh: null };
  return { code: parsed.data.told.code, messageZh: translate(catalogue, parsed.data.told, 'zh') };
}
