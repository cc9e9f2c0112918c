import { networkInterfaces } from 'node:os';
import { sayer } from '../../common/message.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { columns, renderTable } from '../../common/terminal/table.ts';
import type { HubConfig } from '../config.ts';
import type { HubContext } from './context.ts';
import { called, type SiteAnswer } from './findings.ts';
import { flowColumns } from './flows.ts';
import { siteMessages } from './site-messages.ts';

interface Issued {
  keyId: string;
  secret: string;
}

interface SiteView {
  instance: string;
  displayName: string | null;
  tenants: string[];
  createdAt: string;
  silentAfterMinutes: number;
  away: boolean;
  keys: { keyId: string }[];
}

/** On this port of every address of the machine, as `0.0.0.0` and `::` say. */
const ANY = new Set(['0.0.0.0', '::']);

/** Where sites reach this hub, unless a name or a proxy stands before it: its own address on the network. */
function addressOf({ listen: { host, port }, tls }: HubConfig): string {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  const reached = ANY.has(host) ? (outer?.address ?? '127.0.0.1') : host;
  return `${tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

const pathOf = (instance: string): string => `/api/core/sites/${encodeURIComponent(instance)}`;

/** `site add`: registers a site; its key, or a joining code, is shown this once. */
export async function addSite(
  { instance, tenant: tenants, code }: { instance: string; tenant: string[]; code: boolean },
  context: HubContext,
): Promise<number> {
  const { api, config, terminal, language } = context;
  const key = await api.call<Issued>('POST', '/api/core/sites', { instance, tenants });
  if (code) {
    // Nobody is shown this key; the site fetches another.
    await api.call('DELETE', `${pathOf(instance)}/keys/${encodeURIComponent(key.keyId)}`);
    return giveCode({ instance }, context);
  }
  terminal.out(sayer(siteMessages, language)('made', { instance, address: addressOf(config), ...key }));
  return EXIT.well;
}

/** `site code`: with which the site fetches a key. */
export async function giveCode(
  { instance }: { instance: string },
  { api, config, terminal, language }: HubContext,
): Promise<number> {
  const { code } = await api.call<{ code: string }>('POST', `${pathOf(instance)}/codes`);
  terminal.out(sayer(siteMessages, language)('code', { instance, address: addressOf(config), code }));
  return EXIT.well;
}

/** `site list`. */
export async function listSites(
  { json }: { json: boolean },
  { api, terminal, language, time }: HubContext,
): Promise<number> {
  const w = sayer(siteMessages, language);
  const { items } = await api.call<{ items: SiteView[] }>('GET', '/api/core/sites');
  const { sites } = await api.call<{ sites: SiteAnswer[] }>('GET', '/api/core/uplink/status');
  const stands = new Map(sites.map((site) => [site.instance, site]));
  const rows = items.map((site) => [
    called(site),
    site.tenants.join(', '),
    site.keys.map((key) => key.keyId).join(', ') || '-',
    time(site.createdAt),
    site.away ? w('isAway') : w('silentAfter', { minutes: site.silentAfterMinutes }),
    ...flowColumns(stands.get(site.instance), language),
  ]);
  if (json) {
    const told = items.map((site) => ({ ...site, uplink: stands.get(site.instance) ?? null }));
    terminal.out(`${JSON.stringify({ items: told })}\n`);
  } else terminal.out(rows.length === 0 ? `${w('none')}\n` : renderTable(columns(w('head')), rows));
  return EXIT.well;
}

/** `site tenants`: whose events it may bring. */
export async function setTenants(
  { instance, tenant: tenants }: { instance: string; tenant: string[] },
  { api, terminal, language }: HubContext,
): Promise<number> {
  await api.call('PATCH', pathOf(instance), { tenants });
  terminal.out(`${sayer(siteMessages, language)('tenants', { instance, tenants: tenants.join(', ') })}\n`);
  return EXIT.well;
}

/** `site continue`: it goes on under another name. */
export async function continueSite(
  { instance, before }: { instance: string; before: string[] },
  { api, terminal, language }: HubContext,
): Promise<number> {
  await api.call('PATCH', pathOf(instance), { continues: before });
  terminal.out(`${sayer(siteMessages, language)('continues', { instance, before: before.join(', ') })}\n`);
  return EXIT.well;
}

/** `site silence`: after how long somebody is called. */
export async function watchSite(
  { instance, 'after-minutes': minutes }: { instance: string; 'after-minutes': number },
  { api, terminal, language }: HubContext,
): Promise<number> {
  await api.call('PATCH', pathOf(instance), { silent_after_minutes: minutes });
  terminal.out(`${sayer(siteMessages, language)('watched', { instance, minutes })}\n`);
  return EXIT.well;
}

/** `site away` and `site back`: whether nobody is called for its silence. */
export async function setAway(
  { instance, away }: { instance: string; away: boolean },
  { api, terminal, language }: HubContext,
): Promise<number> {
  const w = sayer(siteMessages, language);
  const site = await api.call<SiteView>('PATCH', pathOf(instance), { away });
  terminal.out(
    `${away ? w('away', { instance }) : w('back', { instance, minutes: site.silentAfterMinutes })}\n`,
  );
  return EXIT.well;
}

/** `site rotate`: a new secret of one of its keys, shown this once. */
export async function rotateSite(
  {
    instance,
    key: keyId,
    'overlap-hours': hours,
  }: { instance: string; key: string; 'overlap-hours': number | undefined },
  { api, terminal, language }: HubContext,
): Promise<number> {
  const key = await api.call<Issued>(
    'POST',
    `${pathOf(instance)}/keys/${encodeURIComponent(keyId)}/rotate`,
    hours === undefined ? {} : { overlap_hours: hours },
  );
  const w = sayer(siteMessages, language);
  const until = hours === 0 ? w('oldSecretEnds') : w('overlap', { hours: hours ?? 24 });
  terminal.out(`${key.keyId}:${key.secret}\n${until}\n`);
  return EXIT.well;
}

/** `site remove`: its uplink is refused from now on. */
export async function removeSite(
  { instance }: { instance: string },
  { api, terminal, language }: HubContext,
): Promise<number> {
  await api.call('DELETE', pathOf(instance));
  terminal.out(`${sayer(siteMessages, language)('removed', { instance })}\n`);
  return EXIT.well;
}
