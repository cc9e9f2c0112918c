// The video sources of a device, and where it has a picture of each.
import { ConnectionFault } from '../connection/fault.ts';
import { isObject } from '../message/json.ts';
import { memberOf, wordOf } from '../message/member.ts';
import type { OnvifClient } from './client.ts';
import { orNull, type Services } from './device.ts';
import { attributeOf, elementOf, listOf } from './document.ts';
import type { Identity } from './identity.ts';
import { escaped, NAMESPACES, pathOf } from './soap.ts';

/** All of them are asked for in so long at most, ms; without pictures the alarms come all the same. */
const WHOLE_MS = 10_000;
const EACH_MS = 4_000;
/** Channels of the largest recorders. */
const MAX_SOURCES = 64;
/** Some profiles of each; all of them go with every message. */
const MAX_PROFILES = 512;
const MAX_TOKEN = 256;

interface Profile {
  token: string;
  source: string;
  /** Tokens under which topics may name the source. */
  names: string[];
}

/** @throws ConnectionFault when the connection is over */
export async function sourcesOf(
  client: OnvifClient,
  { media, media2 }: Services,
): Promise<Omit<Identity, 'serial'>> {
  const path = media ?? media2;
  if (path === null) return { sources: {}, snapshots: {} };
  const service: MediaService = { path, namespace: media === null ? NAMESPACES.media2 : NAMESPACES.media };
  const found: Found = { sources: {}, snapshots: {} };
  try {
    await find(client, service, found);
  } catch (error) {
    // The same user was let in a moment ago: it may not see media, and still have the events.
    const right = error instanceof ConnectionFault && error.condition === 'refused' && client.proven;
    if (!right) throw error;
  }
  return found;
}

interface Found {
  sources: Record<string, string>;
  snapshots: Record<string, string>;
}

/** @throws ConnectionFault */
async function find(
  client: OnvifClient,
  service: MediaService,
  { sources, snapshots }: Found,
): Promise<void> {
  const until = performance.now() + WHOLE_MS;
  const profiles = await profilesOf(client, service);
  for (const { names, source } of profiles) for (const name of names) sources[name] = source;
  const first = new Map<string, Profile>();
  for (const profile of profiles) if (!first.has(profile.source)) first.set(profile.source, profile);
  for (const { token, source } of [...first.values()].slice(0, MAX_SOURCES)) {
    if (performance.now() > until) break;
    const snapshot = await snapshotOf(client, service, token);
    if (snapshot !== null) snapshots[source] = snapshot;
  }
}

interface MediaService {
  path: string;
  namespace: string;
}

async function profilesOf(client: OnvifClient, service: MediaService): Promise<Profile[]> {
  const wanted = service.namespace === NAMESPACES.media2 ? '<Type>All</Type>' : '';
  const answer = await ask(client, service, 'GetProfiles', wanted);
  const told = answer === null ? '' : elementOf(answer, 'GetProfilesResponse');
  if (typeof told === 'string') return [];
  const listed = listOf(told.Profiles).slice(0, MAX_PROFILES);
  return listed.flatMap((profile) => {
    const token = attributeOf(profile, 'token');
    const configuration = memberOf(profile, 'VideoSourceConfiguration') ?? memberOf(profile, 'VideoSource');
    const source = isObject(configuration) ? wordOf(configuration.SourceToken) : null;
    if (token === null || source === null || source.length > MAX_TOKEN) return [];
    const analytics = memberOf(profile, 'VideoAnalyticsConfiguration') ?? memberOf(profile, 'Analytics');
    const names = [token, attributeOf(configuration, 'token'), attributeOf(analytics, 'token')];
    const short = names.filter((name) => name !== null).filter(({ length }) => length <= MAX_TOKEN);
    return [{ token, source, names: short }];
  });
}

async function snapshotOf(
  client: OnvifClient,
  service: MediaService,
  profile: string,
): Promise<string | null> {
  const member = `<ProfileToken>${escaped(profile)}</ProfileToken>`;
  const answer = await ask(client, service, 'GetSnapshotUri', member);
  const told = answer === null ? '' : elementOf(answer, 'GetSnapshotUriResponse');
  const address = typeof told === 'string' ? null : wordOf(memberOf(told, 'Uri'));
  return address === null || address.length > 1_000 ? null : pathOf(address);
}

/** null for what the device does not answer: it has no pictures then. */
function ask(
  client: OnvifClient,
  { path, namespace }: MediaService,
  name: string,
  members: string,
): Promise<string | null> {
  const body = `<${name} xmlns="${namespace}">${members}</${name}>`;
  return orNull(client.call({ path, action: `${namespace}/${name}`, body, timeoutMs: EACH_MS })).catch(
    (error: unknown) => {
      if (error instanceof ConnectionFault && error.condition !== 'refused') return null;
      throw error;
    },
  );
}
