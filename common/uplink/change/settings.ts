// What headquarters set at a site, on the way up: as it stands when it is sent.
import * as z from 'zod/mini';
import { clockTime, line, orNull, told } from '../item.ts';
import { givenValues, settingOrigins, settingsOutcomes } from '../settings/record.ts';
import { count, id } from './names.ts';

/** Variables, or faults, of one item at most. */
const MOST = 100;

export const settingsState = z.object({
  change_no: id,
  kind: z.literal('settings'),
  /** The version that the site was told last. */
  version: count,
  state: z.enum(settingsOutcomes),
  /** What that version says. */
  values: givenValues,
  by: line(256),
  /** When it came to this, by the clock of the site. */
  at: clockTime,
  /** What of headquarters holds at the site, whichever version it is of. */
  holds: givenValues,
  /** What is in use of each variable that can be set from headquarters. */
  in_use: z
    .array(
      z.object({
        name: line(64),
        value: orNull(z.union([z.int(), line(256)])),
        from: z.enum(settingOrigins),
      }),
    )
    .check(z.maxLength(MOST)),
  /** Of a refused version: all that is wrong with it. */
  faults: z.array(z.object({ name: line(64), reason: line(1_000), told })).check(z.maxLength(MOST)),
  /** Why it was taken back. */
  reason: orNull(line(4_000)),
  told,
});
export type SettingsState = z.infer<typeof settingsState>;
