import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import {
  type NetworkList,
  type Networks,
  outerNetworks,
  parseNetworks,
  PRIVATE_NETWORKS,
  publicNetworks,
} from './http/outbound/address.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Of this process. */
export const environment: Environment = process.env;

/** Everything wrong with a configuration, at once. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Names with these beginnings are ours: an unknown one is a misspelling, not somebody else's. */
const OURS = /^(?:CORE|AGENT)_/;

/**
 * Reads a program's variables by a schema. An empty value counts as absent.
 * @throws ConfigError listing every fault, unknown CORE_ and AGENT_ names among them
 */
export function readVariables<S extends z.ZodMiniObject>(schema: S, env: Environment): z.infer<S> {
  const known = schema.def.shape as Record<string, unknown>;
  const given: Record<string, string> = {};
  const faults: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue;
    if (Object.hasOwn(known, name)) given[name] = value;
    else if (OURS.test(name)) faults.push(`${name} is not known; check the spelling`);
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  if (faults.length > 0) throw new ConfigError(faults);
  return (parsed as { data: z.infer<S> }).data;
}

export const wholeNumber = (min: number, max: number, standard: number) =>
  z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
      z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))),
    ),
    standard,
  );

/** A number of days, 1 to 36500; left out: for ever. */
export const days = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,5}$/, 'must be a whole number of days')),
    z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(36_500))),
  ),
);

export const httpUrl = z
  .string()
  .check(
    z.refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'must be an http:// or https:// address',
    ),
  );

export const secretReference = z
  .string()
  .check(
    z.regex(
      /^(?:env|file|cred):.+/,
      'must be a reference: env:NAME, file:/path or cred:NAME, never the secret itself',
    ),
  );

/** CORE_SECRETS_DIR: the one directory of files that the API may name secrets in; none unless given. */
export const secretsDirectory = z.optional(
  z.string().check(z.refine(isAbsolute, 'must be an absolute path')),
);

export const logLevel = z._default(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']), 'info');

export interface ListenAddress {
  host: string;
  port: number;
}

/** `host:port`; the host may be an IPv6 address in brackets. */
export const listenAddress = (standard: string) =>
  z._default(
    z.pipe(
      z
        .string()
        .check(z.regex(/^(?:\[[0-9a-fA-F:]+\]|[^\s:]+):\d{1,5}$/, 'must be host:port, such as 0.0.0.0:8080')),
      z.transform(splitListen),
    ),
    splitListen(standard),
  );

function splitListen(text: string): ListenAddress {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

/**
 * Comma-separated networks of cameras; left out, the private ranges. `INNER_NETWORKS` and addresses of this
 * machine must be listed themselves.
 */
export const cameraNetworks = z._default(
  z.pipe(
    z.string().check(z.refine(isNetworks, 'must be networks such as 192.168.0.0/16, separated by commas')),
    z.transform((text: string): Networks => outerNetworks(parseNetworks(splitList(text)))),
  ),
  () => outerNetworks(parseNetworks(PRIVATE_NETWORKS)),
);

/** Comma-separated networks that are open beside the Internet; none unless given. */
export const intranets = z._default(
  z.pipe(
    z.string().check(z.refine(isNetworks, 'must be networks such as 192.168.0.0/16, separated by commas')),
    z.transform((text: string): Networks => publicNetworks(parseNetworks(splitList(text)))),
  ),
  () => publicNetworks([]),
);

/**
 * Comma-separated networks; left out, every address but those of this host, its link and its cloud
 * (`INNER_NETWORKS`), which must be listed themselves.
 */
export const pushNetworks = z._default(
  z.pipe(
    z.string().check(z.refine(isNetworks, 'must be networks such as 192.168.0.0/16, separated by commas')),
    z.transform((text: string): Networks => outerNetworks(parseNetworks(splitList(text)))),
  ),
  () => outerNetworks(null),
);

/** Comma-separated tenants that the agent serves; left out, all that are known here. */
export const agentTenants = z.optional(
  z.pipe(
    z
      .string()
      .check(z.refine((text) => splitList(text).length > 0, 'must be tenant codes separated by commas')),
    z.transform((text: string): string[] => splitList(text)),
  ),
);

/** RULES_CACHE_FILE (spec 3): a path, relative to the data directory; null for `off`. */
export const rulesCacheFile = z.pipe(
  z._default(z.string().check(z.minLength(1)), 'rules_cache.json'),
  z.transform((text: string): string | null => (text === 'off' ? null : text)),
);

/**
 * CORE_METRICS_NETWORKS: comma-separated networks that read /metrics without credentials; `none` for nobody.
 */
export const metricsNetworks = (standard: readonly string[]) =>
  z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (text) => text === 'none' || isNetworks(text),
            'must be networks such as 10.0.0.5/32, separated by commas, or none',
          ),
        ),
      z.transform((text: string): NetworkList => (text === 'none' ? [] : parseNetworks(splitList(text)))),
    ),
    () => parseNetworks(standard),
  );

/** Comma-separated networks of proxies whose `X-Forwarded-For` is believed; none unless given. */
export const proxyNetworks = z._default(
  z.pipe(
    z.string().check(z.refine(isNetworks, 'must be networks such as 10.0.0.5/32, separated by commas')),
    z.transform((text: string): NetworkList => parseNetworks(splitList(text))),
  ),
  () => [],
);

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function isNetworks(text: string): boolean {
  try {
    return parseNetworks(splitList(text)) !== null;
  } catch {
    return false;
  }
}

/** What a loss of power leaves of a new file. Nobody can know a secret that is not there. */
function isEmptyFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= 2 && readFileSync(path, 'utf8').trim() === '';
}

/**
 * Makes the file with a fresh secret at the first start, or in the place of an empty one,
 * readable by the owner only. @returns its reference
 */
export function ensureSecretFile(path: string, make: () => string): string {
  if (isEmptyFile(path)) rmSync(path);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The file gets its name only when it is whole, so that a start that is cut short leaves no empty one.
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, `${make()}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(part, path);
    } catch (error) {
      // Another process was first.
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    } finally {
      rmSync(part);
    }
  }
  chmodSync(path, 0o600);
  return `file:${path}`;
}
