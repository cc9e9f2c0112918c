import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';
import { formatTime } from '../../../common/time.ts';
import type { SiteHour } from './record.ts';

export const hourView = z
  .object({ at: z.string(), received: z.int(), backlog: z.int(), roomBytes: z.nullable(z.int()) })
  .register(described, { id: 'SiteHour' });

export const hoursView = z.object({ hours: z.array(hourView) }).register(described, { id: 'SiteHours' });
export const hourOf = ({ at, ...hour }: SiteHour): z.infer<typeof hourView> => ({
  at: formatTime(at),
  ...hour,
});
