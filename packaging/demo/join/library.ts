import { createHash } from 'node:crypto';
import type { HttpClient } from '../../../common/http/outbound/client.ts';
import type { ApiClient } from '../../../common/terminal/api.ts';
import { REGULATION } from './regulation.ts';

interface Document {
  docId: number;
  status: string;
  chunksSha256: string | null;
}

interface Original {
  client: HttpClient;
  hubUrl: string;
  adminKey: string;
}

/** Gives the policy library one regulation in force, unless it is there already. */
export async function joinLibrary(hub: ApiClient, tenant: string, original: Original): Promise<void> {
  const { items } = await hub.call<{ items: { title: string }[] }>(
    'GET',
    `/api/core/kb/docs?tenant_code=${tenant}&status=effective&all_levels=1`,
  );
  if (items.some(({ title }) => title === REGULATION.title)) return;
  const clauses = REGULATION.clauses.map((clause) => `${clause.path}\n\n${clause.text}\n`);
  const text = Buffer.from(`# ${REGULATION.title}\n\n${clauses.join('\n')}`);
  const { docId } = await hub.call<Document>('POST', '/api/core/kb/docs', {
    tenant_code: tenant,
    src_system: 'manual',
    src_key: REGULATION.key,
    title: REGULATION.title,
    doc_no: REGULATION.docNo,
    version: REGULATION.version,
    effective_date: REGULATION.effectiveDate,
    file_name: 'regulation.md',
    content_type: 'text/markdown',
    size: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
  });
  const { client, hubUrl, adminKey } = original;
  const stored = await client.send({
    method: 'POST',
    url: `${hubUrl}/api/core/kb/docs/${docId}/file?tenant_code=${tenant}`,
    headers: { 'x-admin-key': adminKey },
    body: text,
    timeoutMs: 15_000,
  });
  if (stored.status >= 400)
    throw new Error(`the regulation was not stored: ${stored.status} ${stored.body.toString('utf8')}`);
  const { chunksSha256 } = await hub.call<Document>('POST', `/api/core/kb/docs/${docId}/chunks`, {
    tenant_code: tenant,
    chunks: REGULATION.clauses.map((clause) => ({
      clause_path: clause.path,
      page: clause.page,
      text: clause.text,
    })),
  });
  await hub.call('POST', `/api/core/kb/docs/${docId}/state`, {
    tenant_code: tenant,
    state: 'effective',
    by: 'demonstration',
    expect_chunks_sha256: chunksSha256,
  });
}
