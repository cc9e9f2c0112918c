import { type Answer, answerOf, api } from '../../../api/client.ts';

/** A key with its secret, which is shown once. */
export interface NewKey {
  instance: string;
  keyId: string;
  secret: string;
}

export type JoiningCode = Answer<'/api/core/sites/{instance}/codes', 'post'>;

/** @throws what `answerOf` throws: 409 site_exists, site_continued, instance_taken */
export const addSite = (body: {
  instance: string;
  tenants: string[];
  display_name?: string;
}): Promise<NewKey> => answerOf(api.POST('/api/core/sites', { body }));

/** @throws what `answerOf` throws: 404, 409 too_many_keys */
export async function issueKey(instance: string): Promise<NewKey> {
  const path = { instance };
  return { instance, ...(await answerOf(api.POST('/api/core/sites/{instance}/keys', { params: { path } }))) };
}

/**
 * With which the site fetches a key of its own.
 * @throws what `answerOf` throws: 404, 409 too_many_keys
 */
export const issueCode = (instance: string): Promise<JoiningCode> =>
  answerOf(api.POST('/api/core/sites/{instance}/codes', { params: { path: { instance } } }));

/** @param hours how long the former secret works on */
export async function rotateKey(instance: string, keyId: string, hours: number): Promise<NewKey> {
  const params = { path: { instance, key_id: keyId } };
  const body = { overlap_hours: hours };
  const made = api.POST('/api/core/sites/{instance}/keys/{key_id}/rotate', { params, body });
  return { instance, ...(await answerOf(made)) };
}

export const withdrawKey = (instance: string, keyId: string): Promise<unknown> =>
  answerOf(
    api.DELETE('/api/core/sites/{instance}/keys/{key_id}', { params: { path: { instance, key_id: keyId } } }),
  );

export const removeSite = (instance: string): Promise<unknown> =>
  answerOf(api.DELETE('/api/core/sites/{instance}', { params: { path: { instance } } }));
