// Rules of work that headquarters keeps: one in force, one to review, and a question that was answered.
import { hash } from 'node:crypto';
import { TENANT } from '../../support/deployment.ts';
import { expectStatus, request, until } from '../../support/request.ts';
import type { Filled } from './fill.ts';
import { made } from './made.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** @returns the id of the file in force, and of another that is in review */
export async function addLibrary(rig: Filled): Promise<{ document: number; reviewed: number }> {
  const { hub } = rig;
  const kb = <T>(path: string, body: object): Promise<T> => made<T>(rig, `/api/core/kb/${path}`, body);
  const add = async (title: string, doc_no: string): Promise<{ docId: number; chunksSha256: string }> => {
    const file = {
      size: PDF.length,
      sha256: hash('sha256', PDF),
      file_name: 'a.pdf',
      content_type: 'application/pdf',
    };
    const { docId } = await kb<{ docId: number }>('docs', {
      tenant_code: TENANT,
      src_system: '制度平台',
      src_key: doc_no,
      title,
      doc_no,
      version: '2026',
      effective_date: '2026-01-01',
      ...file,
    });
    const path = `/api/core/kb/docs/${docId}/file?tenant_code=${TENANT}`;
    const headers = { 'x-admin-key': hub.adminKey };
    expectStatus(await request({ url: hub.url, method: 'POST', path, headers, body: PDF }), 201);
    const chunks = [
      { clause_path: '第三章 / 第 3.2 条', page: 3, text: `${title}：动火作业必须设监护人，配备灭火器。` },
      { clause_path: '第三章 / 第 3.3 条', page: 4, text: '作业后检查三十分钟，确认无火种后方可离开。' },
    ];
    return kb(`docs/${docId}/chunks`, { tenant_code: TENANT, chunks });
  };
  const first = await add('动火作业安全管理办法', 'HSE-12');
  const second = await add('隧道通风与瓦斯监测规程', 'HSE-31');
  await kb(`docs/${first.docId}/state`, {
    tenant_code: TENANT,
    state: 'effective',
    by: '赵工',
    expect_chunks_sha256: first.chunksSha256,
  });
  const answer = { question: '动火作业由谁监护？', answer: '必须设专职监护人，并配备灭火器。' };
  const { qaId } = await kb<{ qaId: number }>('qa_log', {
    ...{ tenant_code: TENANT, subject: 'li.chief', duration_ms: 840 },
    ...answer,
  });
  await addUnreadable(rig);
  const mark = { tenant_code: TENANT, subject: 'li.chief', feedback: 'wrong', note: '新办法已改为双监护' };
  await kb(`qa_log/${qaId}/feedback`, mark);
  const words = { tenant_code: TENANT, groups: [['猴车', '架空乘人装置']] };
  expectStatus(await hub.api('PUT', '/api/core/kb/synonyms', words), 200);
  const open = { tenant_code: TENANT, subject: 'li.chief', query: '小龙虾池塘怎么换水' };
  // The index is made at the first search.
  await until('a question without an answer is noted', async () => {
    const { status } = await hub.api('POST', '/api/core/kb/search', open);
    return status === 200;
  });
  return { document: first.docId, reviewed: second.docId };
}

/** A file that headquarters could not read. */
async function addUnreadable({ hub }: Filled): Promise<void> {
  const form = new FormData();
  const fields = {
    src_system: 'console',
    src_key: 'scan',
    title: '起重机械使用登记（扫描件）',
    version: '1',
  };
  for (const [name, value] of Object.entries({ tenant_code: TENANT, ...fields })) form.append(name, value);
  form.append('file', new Blob([PDF], { type: 'application/pdf' }), '起重机械扫描件.pdf');
  const made = new Response(form);
  const answer = await request({
    ...{ url: hub.url, method: 'POST', path: '/api/core/kb/docs/upload' },
    body: Buffer.from(await made.arrayBuffer()),
    headers: { 'x-admin-key': hub.adminKey, 'content-type': made.headers.get('content-type') ?? '' },
  });
  expectStatus(answer, 201);
  await until('the file could not be read', async () => {
    const listed = await hub.api('GET', `/api/core/kb/readings?tenant_code=${TENANT}`);
    return /"readingState":"failed"/.test(listed.text);
  });
}
