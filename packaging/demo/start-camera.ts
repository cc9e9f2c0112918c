import type { ApiClient } from '../../common/terminal/api.ts';
import type { Programs } from './programs.ts';
import type { DemoState } from './state.ts';

export interface DemoCamera {
  name: string;
  /** Events a second. */
  rate: string;
  seed: string;
}

/** Starts a simulated camera at the site, with the key of an earlier run where the site still knows it. */
export async function startCamera(
  programs: Programs,
  state: DemoState,
  site: ApiClient,
  { siteUrl, tenant, camera }: { siteUrl: string; tenant: string; camera: DemoCamera },
): Promise<void> {
  const { items } = await site.call<{ items: { keyId: string }[] }>('GET', '/api/core/nodes');
  let key = state.keys()[camera.name];
  if (!key || !items.some((node) => node.keyId === key?.keyId)) {
    key = await site.call<{ keyId: string; secret: string }>('POST', '/api/core/nodes', {
      tenant_code: tenant,
      name: camera.name,
    });
    state.keepKey(camera.name, key);
  }
  const options = {
    'site-url': siteUrl,
    key: key.keyId,
    'secret-ref': 'env:CAMERA_SECRET',
    name: camera.name,
    rate: camera.rate,
    seed: camera.seed,
    listen: `127.0.0.1:${await state.feedbackPort(camera.name)}`,
  };
  programs.launch(
    `camera-${camera.name}`,
    'packaging/demo/camera.ts',
    ['--pictures', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
    { CAMERA_SECRET: key.secret },
  );
}
