import pino from 'pino';

export type Logger = pino.Logger;

const SECRET_PATHS = [
  'secret',
  'adminKey',
  'password',
  '*.secret',
  '*.password',
  'headers.authorization',
  'headers["x-admin-key"]',
  'headers["x-core-signature"]',
  'headers.cookie',
];

/** One JSON line a record on standard error; secrets are censored by field name. */
export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}
