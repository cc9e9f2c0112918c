import type { ApiClient } from '../../../common/terminal/api.ts';
import type { DemoState } from '../state.ts';

interface IssuedKey {
  keyId: string;
  secret: string;
}

/** Registers the site at headquarters, unless it is and its key is still here. */
export async function joinSite(
  hub: ApiClient,
  state: DemoState,
  { instance, tenant }: { instance: string; tenant: string },
): Promise<void> {
  const { items } = await hub.call<{ items: { instance: string; keys: { keyId: string }[] }[] }>(
    'GET',
    '/api/core/sites',
  );
  const registered = items.find((site) => site.instance === instance);
  if (registered?.keys.some(({ keyId }) => state.hasUplinkKey(keyId))) return;
  // Registered, but its secret went with a deleted folder: the same key gets a new secret, and the old one
  // ends at once.
  const [known] = registered?.keys ?? [];
  if (registered && !known) await hub.call('DELETE', `/api/core/sites/${instance}`);
  const key = known
    ? await hub.call<IssuedKey>('POST', `/api/core/sites/${instance}/keys/${known.keyId}/rotate`, {
        overlap_hours: 0,
      })
    : await hub.call<IssuedKey>('POST', '/api/core/sites', { instance, tenants: [tenant] });
  state.keepUplinkKey(key);
}
