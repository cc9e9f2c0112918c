import * as z from 'zod/mini';

const time = z.nullable(z.string());

/** How the tries of a flow go: why the last one failed, in English, as a code, and in Chinese. */
export const triesView = {
  lastError: z.nullable(z.string()),
  lastErrorCode: z.nullable(z.string()),
  lastErrorZh: z.nullable(z.string()),
  consecutiveFailures: z.int(),
  nextAttemptAt: time,
};
