// A hub with a policy library, as an ingestion program, a reviewer and an asker see it.
import { hash } from 'node:crypto';
import { silentLogger } from '../../../common/log.ts';
import type { IndexSource } from '../../../common/policy/index/change.ts';
import { HubIndexSource } from '../../../hq/policy/store/index-source.ts';
import { Connections } from '../../../hq/store/engine/connections.ts';
import { type Answer, expectStatus, jsonOf, request } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

export const TENANT = 'acme';

export interface DocumentView {
  docId: number;
  status: string;
  scheduled: boolean;
  chunksSha256: string | null;
  supersedes: number | null;
  supersededBy: number | null;
  superseded?: number | null;
  originalStoredAt: string | null;
  parseNote: string | null;
  missingNumbers: string[];
  chunks: { chunkId: number; seq: number; text: string; sha256: string }[];
}

export interface PolicyRig extends SessionRig {
  /** What search indexes follow. */
  changes: IndexSource;
  ask(method: string, target: string, subject: string, body?: unknown): Promise<Answer>;
  register(more?: object): Promise<DocumentView>;
  upload(docId: number, bytes: Buffer, tenant?: string): Promise<Answer>;
  submit(docId: number, texts: string[], tenant?: string): Promise<Answer>;
  state(docId: number, body: object, tenant?: string): Promise<Answer>;
  detail(docId: number, tenant?: string): Promise<DocumentView>;
  /** Registers, submits and makes effective. */
  effective(texts?: string[], more?: object): Promise<DocumentView>;
}

let made = 0;
export const fresh = (what: string): string => `${what}-${(made += 1)}`;
export const registration = (more: object = {}): object => ({
  tenant_code: TENANT,
  src_system: 'manual',
  src_key: fresh('key'),
  title: 'Hot work',
  version: '1',
  ...more,
});
export const original = (bytes: Buffer): object => ({
  size: bytes.length,
  sha256: hash('sha256', bytes),
  file_name: 'a.md',
  content_type: 'text/markdown',
});

export async function openPolicyRig(env: Record<string, string> = {}): Promise<PolicyRig> {
  const rig = await openSessionRig({
    CORE_OPERATOR_TENANT: 'operator',
    CORE_EVALUATION_TENANT: 'evaluation',
    ...env,
  });
  const reading = new Connections({ url: rig.databaseUrl, log: silentLogger(), poolSize: 1 });
  const call = (
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: string | Buffer,
  ): Promise<Answer> =>
    request({
      url: rig.hub.url,
      method,
      path: target,
      headers: { 'x-admin-key': rig.adminKey, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const register = async (more: object = {}): Promise<DocumentView> =>
    jsonOf<DocumentView>(expectStatus(await rig.admin('POST', '/api/core/kb/docs', registration(more)), 201));
  const submit = (docId: number, texts: string[], tenant = TENANT): Promise<Answer> =>
    rig.admin('POST', `/api/core/kb/docs/${docId}/chunks`, {
      tenant_code: tenant,
      chunks: texts.map((text) => ({ text })),
    });
  const state = (docId: number, body: object, tenant = TENANT): Promise<Answer> =>
    rig.admin('POST', `/api/core/kb/docs/${docId}/state`, { tenant_code: tenant, by: 'reviewer', ...body });
  const detail = async (docId: number, tenant = TENANT): Promise<DocumentView> =>
    jsonOf<DocumentView>(
      expectStatus(
        await rig.admin(
          'GET',
          `/api/core/kb/docs/${docId}?tenant_code=${encodeURIComponent(tenant)}&all_levels=1`,
        ),
        200,
      ),
    );
  return {
    ...rig,
    register,
    submit,
    state,
    detail,
    changes: new HubIndexSource(reading),
    close: async () => {
      await reading.close();
      await rig.close();
    },
    ask: (method, target, subject, body) =>
      call(
        method,
        target,
        {
          'x-core-subject': encodeURIComponent(subject),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body === undefined ? undefined : JSON.stringify(body),
      ),
    upload: (docId, bytes, tenant = TENANT) =>
      call(
        'POST',
        `/api/core/kb/docs/${docId}/file?tenant_code=${encodeURIComponent(tenant)}`,
        { 'content-type': 'application/octet-stream' },
        bytes,
      ),
    effective: async (texts = ['clause'], more = {}) => {
      const tenant = (more as { tenant_code?: string }).tenant_code ?? TENANT;
      const { docId } = await register(more);
      const { chunksSha256 } = jsonOf<DocumentView>(expectStatus(await submit(docId, texts, tenant), 200));
      expectStatus(
        await state(docId, { state: 'effective', expect_chunks_sha256: chunksSha256 }, tenant),
        200,
      );
      return detail(docId, tenant);
    },
  };
}

export const errorOf = (answer: Answer): [number, string] => [
  answer.status,
  jsonOf<{ error: string }>(answer).error,
];
export const itemsOf = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(expectStatus(answer, 200)).items;
