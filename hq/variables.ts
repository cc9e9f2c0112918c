// The environment variables of headquarters, their forms and defaults.
import { isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import { agentVariables } from '../common/agent-config.ts';
import {
  agentTenants,
  cameraNetworks,
  days,
  httpUrl,
  intranets,
  listenAddress,
  logLevel,
  metricsNetworks,
  proxyNetworks,
  pushNetworks,
  secretReference,
  secretsDirectory,
  wholeNumber,
} from '../common/config.ts';
import { code, tenantCode } from '../common/core/event/schema.ts';
import { demands } from './auth/factor/record.ts';
import { providerVariables } from './auth/provider/config.ts';
import { siteLevels } from './policy/site/record.ts';
import { addressesOf, AddressFault, type Use } from './store/engine/addresses.ts';

export const variables = z.object({
  CORE_INSTANCE: z._default(
    z
      .string()
      .check(
        z.maxLength(64),
        z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-"'),
      ),
    'hq',
  ),
  CORE_LISTEN: listenAddress('0.0.0.0:8090'),
  CORE_ADMIN_SOCKET: z.optional(z.string()),
  CORE_DATA_DIR: z.optional(z.string()),
  CORE_ADMIN_KEY_REF: z.optional(secretReference),
  CORE_MASTER_KEY_REF: z.optional(secretReference),
  CORE_FEEDBACK_NETWORKS: cameraNetworks,
  CORE_PUSH_NETWORKS: pushNetworks,
  CORE_DATASET_NETWORKS: pushNetworks,
  CORE_DATASET_TENANT_ROWS: wholeNumber(1, 1_000_000_000_000, 10_000_000),
  CORE_DATASET_TENANT_BYTES: wholeNumber(1, 999_999_999_999_999, 5 * 1024 ** 3),
  CORE_WEBHOOK_NETWORKS: intranets,
  CORE_WEBHOOK_KEEP_DAYS: wholeNumber(1, 3_650, 30),
  CORE_TRUSTED_PROXIES: proxyNetworks,
  CORE_METRICS_NETWORKS: metricsNetworks([]),
  CORE_EVIDENCE_LIMIT: wholeNumber(0, 999_999_999_999_999, 10 * 1024 ** 3),
  CORE_EVIDENCE_TENANT_PERCENT: wholeNumber(0, 100, 0),
  CORE_EVIDENCE_SITE_PERCENT: wholeNumber(1, 100, 50),
  CORE_RETENTION_EVENTS_DAYS: days,
  CORE_RETENTION_AUDIT_DAYS: days,
  CORE_RETENTION_ALARMS_DAYS: days,
  CORE_OPERATOR_TENANT: z.optional(tenantCode),
  CORE_EVALUATION_TENANT: z.optional(tenantCode),
  CORE_DOC_DIR: z._default(
    z.string().check(z.refine(isAbsolute, 'must be an absolute path')),
    '/opt/core/kbdocs',
  ),
  CORE_DOC_S3_ENDPOINT: z.optional(httpUrl),
  CORE_DOC_S3_PUBLIC_ENDPOINT: z.optional(httpUrl),
  CORE_DOC_S3_BUCKET: z.optional(
    z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'must be the name of a bucket')),
  ),
  CORE_DOC_S3_REGION: z._default(
    z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region')),
    'us-east-1',
  ),
  CORE_DOC_S3_ACCESS_KEY_REF: z.optional(secretReference),
  CORE_DOC_S3_SECRET_KEY_REF: z.optional(secretReference),
  CORE_RELEASE_KEYS: z.optional(z.string()),
  CORE_SITE_LIBRARY: z._default(z.enum(siteLevels), 'internal'),
  CORE_EMBED_URL: z.optional(httpUrl),
  CORE_EMBED_MODEL: z.optional(code(128)),
  CORE_EMBED_KEY_REF: z.optional(secretReference),
  CORE_EMBED_TIMEOUT_MS: wholeNumber(50, 60_000, 3_000),
  CORE_EMBED_CALLS_PER_DAY: wholeNumber(1, 10_000_000, 20_000),
  ...providerVariables,
  CORE_SECOND_FACTOR: z._default(z.enum(demands), 'optional'),
  CORE_POLICY_READING: z._default(z.enum(['on', 'off']), 'on'),
  CORE_MCP: z._default(z.enum(['on', 'off']), 'off'),
  CORE_SECRETS_DIR: secretsDirectory,
  CORE_TLS_CERT_REF: z.optional(secretReference),
  CORE_TLS_KEY_REF: z.optional(secretReference),
  CORE_LOG_LEVEL: logLevel,
  AGENT_TENANTS: agentTenants,
  ...agentVariables,
  CORE_DATABASE_POOL: wholeNumber(2, 200, 10),
  DATABASE_URL: z.optional(z.string().check(z.superRefine(checkAddresses('writes')))),
  DATABASE_READ_URL: z.optional(z.string().check(z.superRefine(checkAddresses('reads')))),
  STATE_DIRECTORY: z.optional(z.string()),
  RUNTIME_DIRECTORY: z.optional(z.string()),
  CREDENTIALS_DIRECTORY: z.optional(z.string()),
  NOTIFY_SOCKET: z.optional(z.string()),
  CORE_BACKUP_ALARM_DAYS: wholeNumber(0, 3_650, 8),
  WATCHDOG_USEC: wholeNumber(0, 999_999_999_999_999, 0),
});

function checkAddresses(use: Use): (url: string, context: z.core.$RefinementCtx<string>) => void {
  return (url, context) => {
    try {
      addressesOf(url, use);
    } catch (error) {
      if (!(error instanceof AddressFault)) throw error;
      context.addIssue({ code: 'custom', message: error.message, input: url });
    }
  };
}
