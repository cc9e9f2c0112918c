import * as z from 'zod/mini';
import { type Catalogue, type MessageOf, say, translate } from '../../message.ts';

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

/** What a site said of its alarm, as headquarters keeps it in the details. */
const passedOn = z.object({
  site: z.object({ code: z.nullable(z.string()), messageZh: z.nullable(z.string()) }),
});
const form = z.object({ told: z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) }) });

/**
 * Code of what an alarm says, and its Chinese sentence. Of one that another instance reported they are as it
 * sent them; both are null where it is too old to send them, and the second for a code that only another
 * version knows.
 */
export function readAlarmText(
  catalogue: Catalogue,
  details: unknown,
): { code: string | null; messageZh: string | null } {
  const parsed = form.safeParse(details);
  if (!parsed.success) return passedOn.safeParse(details).data?.site ?? { code: null, messageZh: null };
  return { code: parsed.data.told.code, messageZh: translate(catalogue, parsed.data.told, 'zh') };
}
