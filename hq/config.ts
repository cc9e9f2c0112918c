import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError, days, listenAddress, logLevel, networks, proxyNetworks, pushNetworks, readVariables, secretReference, whole, type Environment } from '../common/config.ts';
import type { RetentionLimits } from '../common/core/retention/record.ts';
import type { SecretSources } from '../common/secret.ts';
import type { NetworkList, Networks } from '../common/http/address.ts';

const variables = z.object({
  CORE_INSTANCE: z._default(z.string().check(z.maxLength(64), z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-"')), 'hq'),
  CORE_LISTEN: listenAddress('0.0.0.0:8090'),
  CORE_DATA_DIR: z.optional(z.string()),
  CORE_ADMIN_KEY_REF: z.optional(secretReference),
  CORE_MASTER_KEY_REF: z.optional(secretReference),
  CORE_FEEDBACK_NETWORKS: networks,
  CORE_PUSH_NETWORKS: pushNetworks,
  CORE_TRUSTED_PROXIES: proxyNetworks,
  CORE_EVIDENCE_LIMIT: whole(0, 999_999_999_999_999, 10 * 1024 ** 3),
  CORE_RETENTION_EVENTS_DAYS: days,
  CORE_RETENTION_AUDIT_DAYS: days,
  CORE_RETENTION_ALARMS_DAYS: days,
  CORE_TLS_CERT_REF: z.optional(secretReference),
  CORE_TLS_KEY_REF: z.optional(secretReference),
  CORE_LOG_LEVEL: logLevel,
  CORE_DATABASE_POOL: whole(2, 200, 10),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(?:ql)?:\/\//, 'must be a postgres:// address'))),
  STATE_DIRECTORY: z.optional(z.string()),
  CREDENTIALS_DIRECTORY: z.optional(z.string()),
});

export interface HubConfig {
  instance: string;
  listen: { host: string; port: number };
  dataDir: string;
  /** null: the embedded server under `dataDir`. */
  databaseUrl: string | null;
  databasePool: number;
  /** null: a key is made at the first start, in the data directory. */
  adminKeyRef: string | null;
  /** Seals the recoverable secrets in the database; the same for every hub process of one database. null as above. */
  masterKeyRef: string | null;
  feedbackNetworks: Networks;
  /** Where pushes to consumers, and the evidence that they ask for, may go. */
  pushNetworks: Networks;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: NetworkList;
  /** Bytes of evidence files that are kept. */
  evidenceLimit: number;
  /** Days that things are kept; null: for ever. */
  retention: RetentionLimits;
  tls: { certRef: string; keyRef: string } | null;
  logLevel: string;
  secrets: SecretSources;
}

/** Reads the hub's configuration (design §8). @throws ConfigError listing every fault */
export function readHubConfig(env: Environment = process.env): HubConfig {
  const read = readVariables(variables, env);
  if ((read.CORE_TLS_CERT_REF === undefined) !== (read.CORE_TLS_KEY_REF === undefined)) {
    throw new ConfigError(['CORE_TLS_CERT_REF and CORE_TLS_KEY_REF go together']);
  }
  return Object.freeze({
    instance: read.CORE_INSTANCE,
    listen: read.CORE_LISTEN,
    dataDir: resolve(read.CORE_DATA_DIR ?? read.STATE_DIRECTORY ?? '.fieldline/hq'),
    databaseUrl: read.DATABASE_URL ?? null,
    databasePool: read.CORE_DATABASE_POOL,
    adminKeyRef: read.CORE_ADMIN_KEY_REF ?? null,
    masterKeyRef: read.CORE_MASTER_KEY_REF ?? null,
    feedbackNetworks: read.CORE_FEEDBACK_NETWORKS,
    pushNetworks: read.CORE_PUSH_NETWORKS,
    trustedProxies: read.CORE_TRUSTED_PROXIES,
    evidenceLimit: read.CORE_EVIDENCE_LIMIT,
    retention: {
      eventsDays: read.CORE_RETENTION_EVENTS_DAYS ?? null, auditDays: read.CORE_RETENTION_AUDIT_DAYS ?? null,
      alarmsDays: read.CORE_RETENTION_ALARMS_DAYS ?? null,
    },
    tls: read.CORE_TLS_CERT_REF && read.CORE_TLS_KEY_REF ? { certRef: read.CORE_TLS_CERT_REF, keyRef: read.CORE_TLS_KEY_REF } : null,
    logLevel: read.CORE_LOG_LEVEL,
    secrets: { env, credentialsDirectory: read.CREDENTIALS_DIRECTORY },
  });
}
