// What the API says of knowledge objects: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const knowledgeFields: FieldTexts = {
  editable: '`human`: people may revise it; left out, nobody',
  expected_version: ['The version that was read: another one is answered with 409', 1],
  machine_generated: 'Whether a program wrote it',
  sections: ['Sections by their names', { summary: { text: 'A quiet night', editable: 'human' } }],
  source_ref: ['What it is about; `event_id` puts it into the timeline of that event', { event_id: 42 }],
  src_pk: ['Key of the object in its source system: sent again, it is one object', '2026-w09'],
  valid_until: ['Until when it holds, RFC 3339 with a zone', '2026-12-31T00:00:00+08:00'],
  'NewKnowledgeObject.body': [
    'What it says; further members are kept as they are',
    { sections: { summary: { text: 'A quiet night', editable: 'human' } } },
  ],
  'NewKnowledgeRevision.sections': ['New texts of sections by their names', { summary: 'Two alerts' }],
  'NewKnowledgeRevision.by': ['The person who revises', 'li'],
};

/** What the codes of errors mean. */
export const knowledgeErrors: ErrorTexts = {
  section_not_editable: '只能修改标记为可人工编辑的章节；未作任何修改。',
  stale_version: '内容已被修改，现为第 {version} 版，未作任何修改；请查看现在的内容后再改。',
};
