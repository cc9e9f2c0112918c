import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { type AgentConfig, agentConfigOf, agentVariables } from '../common/agent-config.ts';
import {
  agentTenants,
  cameraNetworks,
  ConfigError,
  days,
  type Environment,
  environment,
  httpUrl,
  listenAddress,
  logLevel,
  metricsNetworks,
  proxyNetworks,
  pushNetworks,
  readVariables,
  rulesCacheFile,
  secretReference,
  secretsDirectory,
  wholeNumber,
} from '../common/config.ts';
import type { EvidenceLimits } from '../common/core/evidence/record.ts';
import { type EvidenceMode, evidenceModes } from '../common/core/evidence/schema.ts';
import type { RetentionLimits } from '../common/core/retention/record.ts';
import type { NetworkList, Networks } from '../common/http/outbound/address.ts';
import type { SecretSources } from '../common/secret/secret.ts';
import type { ServiceManagerAddress } from '../common/service-manager.ts';

const variables = z.object({
  CORE_INSTANCE: z.optional(
    z
      .string()
      .check(
        z.maxLength(64),
        z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-"'),
      ),
  ),
  CORE_LISTEN: listenAddress('0.0.0.0:8080'),
  CORE_DATA_DIR: z.optional(z.string()),
  CORE_ADMIN_SOCKET: z.optional(z.string()),
  CORE_ADMIN_KEY_REF: z.optional(secretReference),
  CORE_UPLINK_URL: z.optional(httpUrl),
  CORE_UPLINK_KEY_REF: z.optional(secretReference),
  CORE_UPLINK_INTERVAL_MS: wholeNumber(200, 3_600_000, 3_000),
  CORE_UPLINK_BATCH: wholeNumber(1, 1_000, 200),
  CORE_UPLINK_EVIDENCE: z._default(z.enum(evidenceModes), 'on_demand'),
  CORE_UPLINK_EVIDENCE_KBPS: wholeNumber(0, 10_000_000, 0),
  CORE_UPGRADE_DIR: z.optional(z.string()),
  CORE_UPGRADE_ROOT: z.optional(z.string()),
  CORE_RELEASE_KEYS: z.optional(z.string()),
  CORE_REMOTE_CARE: z._default(z.enum(['on', 'off']), 'on'),
  CORE_FEEDBACK_NETWORKS: cameraNetworks,
  CORE_PUSH_NETWORKS: pushNetworks,
  CORE_TRUSTED_PROXIES: proxyNetworks,
  CORE_METRICS_NETWORKS: metricsNetworks(['127.0.0.0/8', '::1/128']),
  CORE_EVIDENCE_LIMIT: wholeNumber(0, 999_999_999_999_999, 10 * 1024 ** 3),
  CORE_EVIDENCE_TENANT_PERCENT: wholeNumber(0, 100, 0),
  CORE_STORAGE_LIMIT: z.optional(wholeNumber(16 * 1024 ** 2, 999_999_999_999_999, 0)),
  CORE_CAMERA_SILENT_HOURS: wholeNumber(1, 8_760, 24),
  CORE_RETENTION_EVENTS_DAYS: days,
  CORE_RETENTION_AUDIT_DAYS: days,
  CORE_RETENTION_ALARMS_DAYS: days,
  CORE_SECRETS_DIR: secretsDirectory,
  CORE_TLS_CERT_REF: z.optional(secretReference),
  CORE_TLS_KEY_REF: z.optional(secretReference),
  CORE_LOG_LEVEL: logLevel,
  AGENT_TENANTS: agentTenants,
  ...agentVariables,
  RULES_CACHE_FILE: rulesCacheFile,
  STATE_DIRECTORY: z.optional(z.string()),
  RUNTIME_DIRECTORY: z.optional(z.string()),
  CREDENTIALS_DIRECTORY: z.optional(z.string()),
  NOTIFY_SOCKET: z.optional(z.string()),
  CORE_BACKUP_ALARM_DAYS: wholeNumber(0, 3_650, 8),
  WATCHDOG_USEC: wholeNumber(0, 999_999_999_999_999, 0),
});

export interface UplinkConfig {
  url: string;
  keyRef: string;
  intervalMs: number;
  batch: number;
  /** Which evidence files go up. */
  evidence: EvidenceMode;
  /** Kilobits a second that they take at most; null: no cap. */
  evidenceKbps: number | null;
}

/** What the package sets, for upgrades from headquarters. */
export interface UpgradeConfig {
  /** Folder of the daemon: what is fetched and handed over. */
  dir: string;
  /** Folder of the part of the system that installs; the daemon only reads it. */
  root: string;
  /** Folders of public keys of releases. */
  keys: readonly string[];
}

export interface SiteConfig {
  /** Globally unique name of this site (spec 2, CORE_INSTANCE). */
  instance: string;
  listen: { host: string; port: number };
  dataDir: string;
  /** Unix socket whose file permissions are the authentication. */
  adminSocket: string;
  /** null: a key is made at the first start, in the data directory. */
  adminKeyRef: string | null;
  /** null: no headquarters. The referenced text is `<key id>:<secret>`. */
  uplink: UplinkConfig | null;
  /** Whether headquarters may look in. */
  remoteCare: boolean;
  /** null: it did not come as a package, and is not upgraded from headquarters. */
  upgrade: UpgradeConfig | null;
  feedbackNetworks: Networks;
  /** Where pushes to consumers, and the evidence that they ask for, may go. */
  pushNetworks: Networks;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: NetworkList;
  /** From where /metrics is read without credentials. */
  metricsNetworks: NetworkList;
  /** Bytes of evidence files that are kept. */
  evidence: EvidenceLimits;
  /** Bytes that the store and the evidence may take together; null: what the disk has, but for a reserve. */
  storageLimit: number | null;
  /** Hours without an event after which a camera counts as silent. */
  cameraSilentHours: number;
  /** Days after which the last backup is too old; 0: nobody is told. */
  backupAlarmDays: number;
  /** Days that things are kept; null: for ever. */
  retention: RetentionLimits;
  /** Directory of files that the API may name secrets in; null: none. */
  secretsDir: string | null;
  tls: { certRef: string; keyRef: string } | null;
  logLevel: string;
  /** Tenants that the agent serves; null: all that are known here. */
  agentTenants: string[] | null;
  agent: AgentConfig;
  /** null: no cache of the rules is kept. */
  rulesCacheFile: string | null;
  secrets: SecretSources;
  /** null: not started by systemd. */
  serviceManager: ServiceManagerAddress | null;
}

/** Reads the site's configuration (CONFIGURATION.md). @throws ConfigError listing every fault */
export function readSiteConfig(env: Environment = environment): SiteConfig {
  const read = readVariables(variables, env);
  const faults = faultsTogether(read);
  if (faults.length > 0) throw new ConfigError(faults);
  const dataDir = resolve(read.CORE_DATA_DIR ?? read.STATE_DIRECTORY ?? '.fieldline/site');
  return Object.freeze({
    instance: read.CORE_INSTANCE ?? (hostname().replace(/[^A-Za-z0-9._-]/g, '-') || 'site'),
    listen: read.CORE_LISTEN,
    dataDir,
    adminSocket: read.CORE_ADMIN_SOCKET ?? join(read.RUNTIME_DIRECTORY ?? dataDir, 'admin.sock'),
    adminKeyRef: read.CORE_ADMIN_KEY_REF ?? null,
    uplink: uplinkOf(read),
    remoteCare: read.CORE_REMOTE_CARE === 'on',
    upgrade: upgradeOf(read),
    feedbackNetworks: read.CORE_FEEDBACK_NETWORKS,
    pushNetworks: read.CORE_PUSH_NETWORKS,
    trustedProxies: read.CORE_TRUSTED_PROXIES,
    metricsNetworks: read.CORE_METRICS_NETWORKS,
    evidence: {
      total: read.CORE_EVIDENCE_LIMIT,
      tenantPercent: read.CORE_EVIDENCE_TENANT_PERCENT,
      sitePercent: 100,
    },
    storageLimit: read.CORE_STORAGE_LIMIT || null,
    cameraSilentHours: read.CORE_CAMERA_SILENT_HOURS,
    backupAlarmDays: read.CORE_BACKUP_ALARM_DAYS,
    retention: {
      eventsDays: read.CORE_RETENTION_EVENTS_DAYS ?? null,
      auditDays: read.CORE_RETENTION_AUDIT_DAYS ?? null,
      alarmsDays: read.CORE_RETENTION_ALARMS_DAYS ?? null,
    },
    secretsDir: read.CORE_SECRETS_DIR ?? null,
    tls:
      read.CORE_TLS_CERT_REF && read.CORE_TLS_KEY_REF
        ? { certRef: read.CORE_TLS_CERT_REF, keyRef: read.CORE_TLS_KEY_REF }
        : null,
    logLevel: read.CORE_LOG_LEVEL,
    agentTenants: read.AGENT_TENANTS ?? null,
    agent: agentConfigOf(read),
    rulesCacheFile: read.RULES_CACHE_FILE,
    secrets: { env, credentialsDirectory: read.CREDENTIALS_DIRECTORY },
    serviceManager: read.NOTIFY_SOCKET
      ? { socket: read.NOTIFY_SOCKET, watchdogMs: read.WATCHDOG_USEC ? read.WATCHDOG_USEC / 1000 : null }
      : null,
  });
}

type Variables = ReturnType<typeof readVariables<typeof variables>>;

/** What is wrong with variables that are right each by itself. */
function faultsTogether(read: Variables): string[] {
  const faults: string[] = [];
  if (read.CORE_UPLINK_URL && !read.CORE_UPLINK_KEY_REF)
    faults.push(
      'CORE_UPLINK_KEY_REF is required with CORE_UPLINK_URL: the key that headquarters gave this site',
    );
  if (read.CORE_UPLINK_URL && !read.CORE_INSTANCE)
    faults.push(
      'CORE_INSTANCE is required with CORE_UPLINK_URL: the name under which headquarters knows this site',
    );
  if ((read.CORE_TLS_CERT_REF === undefined) !== (read.CORE_TLS_KEY_REF === undefined))
    faults.push('CORE_TLS_CERT_REF and CORE_TLS_KEY_REF go together');
  return faults;
}

function upgradeOf({
  CORE_UPGRADE_DIR: dir,
  CORE_UPGRADE_ROOT: root,
  CORE_RELEASE_KEYS: keys,
}: Variables): UpgradeConfig | null {
  if (!dir || !root) return null;
  return {
    dir: resolve(dir),
    root: resolve(root),
    keys: (keys ?? '').split(':').filter((one) => one !== ''),
  };
}

function uplinkOf(read: Variables): UplinkConfig | null {
  if (!read.CORE_UPLINK_URL || !read.CORE_UPLINK_KEY_REF) return null;
  return {
    url: read.CORE_UPLINK_URL,
    keyRef: read.CORE_UPLINK_KEY_REF,
    intervalMs: read.CORE_UPLINK_INTERVAL_MS,
    batch: read.CORE_UPLINK_BATCH,
    evidence: read.CORE_UPLINK_EVIDENCE,
    evidenceKbps: read.CORE_UPLINK_EVIDENCE_KBPS || null,
  };
}
