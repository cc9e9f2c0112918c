import { type Answer, answerOf, api } from '../../api/client.ts';

export type Secret = Answer<'/api/core/secrets', 'get'>['items'][number];
export const SECRETS = ['secrets'] as const;

/** Whoever a secret is shown to: the host of an address, with its port as the hub compares it. */
export function hostOf(address: string): string {
  const { host, protocol, port } = new URL(address);
  return protocol === 'http:' && port === '' ? `${host}:80` : host;
}

/**
 * Gives the hub a secret for one use towards one address. @returns its name, by which things refer to it
 * @throws Refused, or TypeError where the address is none
 */
export async function giveSecret(
  name: string,
  {
    use,
    url,
    secret,
    tenant,
  }: { use: Secret['use']; url: string; secret: string; tenant: string | undefined },
): Promise<string> {
  const given = await answerOf(
    api.PUT('/api/core/secrets/{name}', {
      params: { path: { name } },
      body: { use, host: hostOf(url), secret, ...(tenant === undefined ? {} : { tenant_code: tenant }) },
    }),
  );
  return given.name;
}
