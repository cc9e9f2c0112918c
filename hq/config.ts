import { join, resolve } from 'node:path';
import type * as z from 'zod/mini';
import { type AgentConfig, agentConfigOf } from '../common/agent-config.ts';
import { ConfigError, type Environment, environment, readVariables } from '../common/config.ts';
import type { EvidenceLimits } from '../common/core/evidence/record.ts';
import type { RetentionLimits } from '../common/core/retention/record.ts';
import type { NetworkList, Networks } from '../common/http/outbound/address.ts';
import type { SecretSources } from '../common/secret/secret.ts';
import type { ServiceManagerAddress } from '../common/service-manager.ts';
import type { Demand } from './auth/factor/record.ts';
import { passkeyPlaceOf } from './auth/passkey/config.ts';
import type { PasskeyPlace, PlaceMissing } from './auth/passkey/record.ts';
import { providerOf } from './auth/provider/config.ts';
import type { PasswordLogins, ProviderConfig } from './auth/provider/record.ts';
import type { SiteLevel } from './policy/site/record.ts';
import { variables } from './variables.ts';

export type OriginalsConfig =
  | { kind: 'directory'; dir: string }
  | {
      kind: 's3';
      endpoint: string;
      publicEndpoint: string | null;
      bucket: string;
      region: string;
      accessKeyRef: string;
      secretKeyRef: string;
    };

export interface EmbedConfig {
  url: string;
  model: string;
  keyRef: string | null;
  /** Longest wait for the vector of a question, ms. */
  timeoutMs: number;
  /** Most calls for a tenant a day. */
  callsPerDay: number;
}

/** How people log in. */
export interface SignInConfig {
  /** Where passkeys can be, or why nowhere. */
  passkeys: PasskeyPlace | PlaceMissing;
  /** Who must have a second factor beside the password. */
  secondFactor: Demand;
  /** null: there is none. */
  provider: ProviderConfig | null;
  passwords: PasswordLogins;
}

export interface HubConfig {
  instance: string;
  listen: { host: string; port: number };
  dataDir: string;
  /** Local socket of the command line, a path. */
  adminSocket: string;
  /** null: the embedded server under `dataDir`. */
  databaseUrl: string | null;
  /** Standbys that lists and statistics are read from; null: the primary. */
  databaseReadUrl: string | null;
  databasePool: number;
  /** Days after which the last backup is too old; 0: nobody is told. */
  backupAlarmDays: number;
  /** null: a key is made at the first start, in the data directory. */
  adminKeyRef: string | null;
  /**
   * Seals the recoverable secrets in the database; the same for every hub process of one database. null as
   * above.
   */
  masterKeyRef: string | null;
  feedbackNetworks: Networks;
  /** Where pushes to consumers, and the evidence that they ask for, may go. */
  pushNetworks: Networks;
  /** Where dataset pulls may go. */
  datasetNetworks: Networks;
  /** The most that the pulled datasets of a tenant may take. */
  datasetShare: { rows: number; bytes: number };
  /** Where webhooks may be sent: the Internet, and listed networks. */
  webhookNetworks: Networks;
  /** Days that settled deliveries are kept. */
  webhookKeepDays: number;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: NetworkList;
  /** From where /metrics is read without credentials. */
  metricsNetworks: NetworkList;
  /** Bytes of evidence files that are kept. */
  evidence: EvidenceLimits;
  /** Days that things are kept; null: for ever. */
  retention: RetentionLimits;
  signIn: SignInConfig;
  /** The tenants that console sessions may act on in the policy library. */
  consoleTenants: readonly string[];
  /** Up to which level policies in force go to sites. */
  siteLibrary: SiteLevel;
  /** Whether uploaded policy files are read into clauses here. */
  policyReading: boolean;
  /** Folders of public keys that releases are to be signed with, or such keys; none: nothing is checked. */
  releaseKeys: readonly string[];
  /** Where the originals of policy files lie. */
  originals: OriginalsConfig;
  /** The embedding service; null: searches go by keywords unless the caller brings a vector. */
  embed: EmbedConfig | null;
  /** Whether programs of a model are let in (`hq/mcp`). */
  mcp: boolean;
  /** Directory of files that the API may name secrets in; null: none. */
  secretsDir: string | null;
  tls: { certRef: string; keyRef: string } | null;
  logLevel: string;
  /** Tenants that the agent serves; null: all that are known here. */
  agentTenants: string[] | null;
  agent: AgentConfig;
  secrets: SecretSources;
  /** null: not started by systemd. */
  serviceManager: ServiceManagerAddress | null;
}

/** Reads the hub's configuration (CONFIGURATION.md). @throws ConfigError listing every fault */
export function readHubConfig(env: Environment = environment): HubConfig {
  const read = readVariables(variables, env);
  const dataDir = resolve(read.CORE_DATA_DIR ?? read.STATE_DIRECTORY ?? '.fieldline/hq');
  return Object.freeze({
    instance: read.CORE_INSTANCE,
    listen: read.CORE_LISTEN,
    dataDir,
    adminSocket: read.CORE_ADMIN_SOCKET ?? join(read.RUNTIME_DIRECTORY ?? dataDir, 'admin.sock'),
    databaseUrl: read.DATABASE_URL ?? null,
    databaseReadUrl: read.DATABASE_READ_URL ?? null,
    databasePool: read.CORE_DATABASE_POOL,
    backupAlarmDays: read.CORE_BACKUP_ALARM_DAYS,
    adminKeyRef: read.CORE_ADMIN_KEY_REF ?? null,
    masterKeyRef: read.CORE_MASTER_KEY_REF ?? null,
    feedbackNetworks: read.CORE_FEEDBACK_NETWORKS,
    pushNetworks: read.CORE_PUSH_NETWORKS,
    datasetNetworks: read.CORE_DATASET_NETWORKS,
    datasetShare: { rows: read.CORE_DATASET_TENANT_ROWS, bytes: read.CORE_DATASET_TENANT_BYTES },
    webhookNetworks: read.CORE_WEBHOOK_NETWORKS,
    webhookKeepDays: read.CORE_WEBHOOK_KEEP_DAYS,
    trustedProxies: read.CORE_TRUSTED_PROXIES,
    metricsNetworks: read.CORE_METRICS_NETWORKS,
    evidence: evidenceOf(read),
    retention: {
      eventsDays: read.CORE_RETENTION_EVENTS_DAYS ?? null,
      auditDays: read.CORE_RETENTION_AUDIT_DAYS ?? null,
      alarmsDays: read.CORE_RETENTION_ALARMS_DAYS ?? null,
    },
    signIn: {
      secondFactor: read.CORE_SECOND_FACTOR,
      passkeys: passkeyPlaceOf(agentConfigOf(read).linkUrl),
      ...providerOf(read, agentConfigOf(read).linkUrl),
    },
    siteLibrary: read.CORE_SITE_LIBRARY,
    consoleTenants: [read.CORE_OPERATOR_TENANT, read.CORE_EVALUATION_TENANT].filter(
      (tenant) => tenant !== undefined,
    ),
    originals: originalsOf(read),
    releaseKeys: (read.CORE_RELEASE_KEYS ?? '').split(':').filter((place) => place !== ''),
    embed: embedOf(read),
    ...{ policyReading: read.CORE_POLICY_READING === 'on', mcp: read.CORE_MCP === 'on' },
    secretsDir: read.CORE_SECRETS_DIR ?? null,
    tls: tlsOf(read),
    logLevel: read.CORE_LOG_LEVEL,
    agentTenants: read.AGENT_TENANTS ?? null,
    agent: agentConfigOf(read),
    secrets: { env, credentialsDirectory: read.CREDENTIALS_DIRECTORY },
    serviceManager: serviceManagerOf(read),
  });
}

const serviceManagerOf = (read: z.infer<typeof variables>): ServiceManagerAddress | null =>
  read.NOTIFY_SOCKET
    ? { socket: read.NOTIFY_SOCKET, watchdogMs: read.WATCHDOG_USEC ? read.WATCHDOG_USEC / 1000 : null }
    : null;

/** @throws ConfigError when one of the two is missing */
function tlsOf({ CORE_TLS_CERT_REF: certRef, CORE_TLS_KEY_REF: keyRef }: z.infer<typeof variables>) {
  if ((certRef === undefined) !== (keyRef === undefined))
    throw new ConfigError(['CORE_TLS_CERT_REF and CORE_TLS_KEY_REF go together']);
  return certRef && keyRef ? { certRef, keyRef } : null;
}

const evidenceOf = (read: z.infer<typeof variables>): HubConfig['evidence'] => ({
  total: read.CORE_EVIDENCE_LIMIT,
  tenantPercent: read.CORE_EVIDENCE_TENANT_PERCENT,
  sitePercent: read.CORE_EVIDENCE_SITE_PERCENT,
});

/** @throws ConfigError when what an object store needs is incomplete */
function originalsOf(read: z.infer<typeof variables>): OriginalsConfig {
  const {
    CORE_DOC_S3_ENDPOINT: endpoint,
    CORE_DOC_S3_BUCKET: bucket,
    CORE_DOC_S3_ACCESS_KEY_REF: accessKeyRef,
    CORE_DOC_S3_SECRET_KEY_REF: secretKeyRef,
  } = read;
  const publicEndpoint = read.CORE_DOC_S3_PUBLIC_ENDPOINT ?? null;
  if (
    endpoint !== undefined &&
    bucket !== undefined &&
    accessKeyRef !== undefined &&
    secretKeyRef !== undefined
  ) {
    return {
      kind: 's3',
      endpoint,
      publicEndpoint,
      bucket,
      region: read.CORE_DOC_S3_REGION,
      accessKeyRef,
      secretKeyRef,
    };
  }
  const given = [endpoint, bucket, accessKeyRef, secretKeyRef, publicEndpoint].some(
    (value) => value !== undefined && value !== null,
  );
  if (given)
    throw new ConfigError([
      'an object store needs CORE_DOC_S3_ENDPOINT, CORE_DOC_S3_BUCKET, CORE_DOC_S3_ACCESS_KEY_REF and ' +
        'CORE_DOC_S3_SECRET_KEY_REF together',
    ]);
  return { kind: 'directory', dir: read.CORE_DOC_DIR };
}

/** @throws ConfigError when the address and the model are not given together */
function embedOf(read: z.infer<typeof variables>): EmbedConfig | null {
  const { CORE_EMBED_URL: url, CORE_EMBED_MODEL: model, CORE_EMBED_KEY_REF: keyRef } = read;
  if ((url === undefined) !== (model === undefined))
    throw new ConfigError(['CORE_EMBED_URL and CORE_EMBED_MODEL go together']);
  if (keyRef !== undefined && url === undefined)
    throw new ConfigError(['CORE_EMBED_KEY_REF needs CORE_EMBED_URL']);
  return url === undefined || model === undefined
    ? null
    : {
        ...{ url, model, keyRef: keyRef ?? null, timeoutMs: read.CORE_EMBED_TIMEOUT_MS },
        callsPerDay: read.CORE_EMBED_CALLS_PER_DAY,
      };
}
