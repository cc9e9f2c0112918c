// What parameters of path and query mean. A name has one meaning wherever it stands; where a call needs more
// words, its schema has them.
import type { Json } from './schemas.ts';

interface Meaning {
  description: string;
  /** Taken where the schema itself names no value: no enumeration and no default. */
  example?: string | number;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  action: {
    description: 'What was done, as entries name it; a trailing `*` takes all that begin so',
    example: 'user.changed',
  },
  actor: { description: 'Who did it, as entries name them', example: 'user:chief' },
  all_levels: {
    description: '1: also what is classified above the clearance of the caller; the audit has it',
  },
  architecture: { description: 'Which machines a package is for', example: 'amd64' },
  asker: { description: 'The account that asks or asked', example: 'li' },
  assignee_org: { description: 'The organisation that tasks are assigned to', example: 'team-4' },
  bytes: { description: 'How many bytes, at most', example: 65_536 },
  camera_ref: { description: 'The camera, as events name it', example: 'c1' },
  channel: { description: 'The channel that notifications go by' },
  consumer: { description: 'Name of a consumer', example: 'agent' },
  core_id: { description: 'Id of a knowledge object', example: 42 },
  cursor: {
    description: '`nextCursor` of the page before, unchanged; left out for the first page',
    example: 'eyJpZCI6NDJ9',
  },
  doc_id: { description: 'Id of a policy file', example: 42 },
  direction: { description: 'Which way it is ordered' },
  epoch: {
    description: 'The epoch that came with the cursor; another one is answered with 409',
    example: '5f0c2a4e-7d0b-4c53-9a6e-3a1f8f3f7b10',
  },
  event: { description: 'The event type of deliveries' },
  event_ids: { description: 'Ids of events, separated by commas', example: '41,42' },
  seen_at: { description: 'When it was last changed, as it was read', example: '2026-03-01T00:00:00Z' },
  dry_run: { description: '1: it is checked, and nothing is kept' },
  event_key: { description: 'Idempotency key of the event', example: 'c1-1772323200' },
  event_id: { description: 'Id of the event that it is about', example: 42 },
  failed: { description: '`true`: only those that have failed' },
  exclude_kind: { description: 'Kinds to be left out, separated by commas', example: 'checklist' },
  feedback: { description: 'What was said of the answer' },
  fields: { description: '`meta`: without the contents' },
  care: { description: '`true`: only those that somebody should look at' },
  from: { description: 'The version that is compared', example: 1 },
  group: { description: 'A group of sites, such as a region or a contract', example: 'North' },
  id: { description: 'Id of what the path names', example: 42 },
  request_id: { description: 'Id of a request to a site', example: '5f0c2a4e' },
  include_cleared: { description: '`true`: also those that are over' },
  wait: {
    description: 'Seconds that the answer may wait until there is something; left out: it comes at once',
    example: 20,
  },
  lasts: {
    description: 'Seconds after which the stream ends by itself; left out: it goes on',
    example: 3600,
  },
  include_test: { description: '`true`: also test events, and what came of them' },
  inline: { description: '1: shown by the browser instead of saved, where that is safe' },
  instance: { description: 'Name of a site', example: 'tunnel-7' },
  key: { description: 'Key of a dataset', example: 'tasks' },
  token: {
    description: 'The secret of a device, as its registration showed it',
    example: 'k3v0Yx1mZq8bT5nR2wL7cJ4pF9hD6sGa',
  },
  key_id: { description: 'Id of a key, not its secret', example: 'gate-camera' },
  kind: { description: 'The kind of what is listed' },
  layer: { description: 'Layer of incident groups: one place, one site, one cause' },
  limit: { description: 'Most items of the page', example: 100 },
  name: { description: 'Name of what the path or the list is about', example: 'night-intrusion' },
  offset: { description: 'How many come before, from the first on', example: 0 },
  order: { description: 'In which order they are listed' },
  outcome: { description: 'What the rules did about the event' },
  overdue: { description: '`true`: only tasks past their deadline; `false`: only others' },
  peek: { description: '1: looks without taking them up for parsing' },
  q: { description: 'Text that stands in it, in whatever case', example: 'hot work' },
  presign: {
    description: '1: a short-lived address of the object store instead of the file, where there is one',
  },
  project_code: { description: 'Code of the project in the business system', example: 'LINE-9' },
  qa_id: { description: 'Id of an entry of the question-and-answer log', example: 42 },
  question_id: {
    description: 'Id of a question without a certain answer',
    example: '3f1c0d6f0f8a4b0f9a2e5d7c1b6a8e90',
  },
  ref_key: {
    description: 'Member of `sourceRef` that is looked at, together with `ref_value`',
    example: 'event_id',
  },
  ref_value: { description: 'Its value, as text', example: '42' },
  response_code: {
    description: 'What the receiver answered to the last attempt, an HTTP status',
    example: 500,
  },
  days: { description: 'Days that are looked back, today among them' },
  scope: { description: 'What is kept only for so many days' },
  severity: { description: 'Severities of events, separated by commas', example: 'high,critical' },
  since: { description: 'From this time on, RFC 3339 with a zone', example: '2026-03-01T00:00:00+08:00' },
  sha256: {
    description: 'SHA-256 of a package',
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  site_group: { description: 'A group of sites, as headquarters looks after them', example: 'North' },
  site_ref: { description: 'The work site, as events name it', example: 'tunnel' },
  scheduled: { description: '`true`: those alone that wait for their day; `false`: the others' },
  size: { description: '`small`: a picture of at most 480 pixels for lists, where one can be made' },
  source: { description: 'Where events come from: cameras, or photos that people take' },
  src_key_prefix: { description: 'What the key in the source system begins with', example: 'GB-' },
  src_pk: { description: 'Key of the object in its source system', example: '2026-w09' },
  src_system: { description: 'The system that it comes from', example: 'console' },
  state: {
    description: 'The state that it is in; of tasks also several, separated by commas',
    example: 'open',
  },
  status: { description: 'The state that it is in' },
  step: { description: 'How far a site is in a rollout' },
  subject: { description: 'What the entry is about', example: 'user:li' },
  origin_id: { description: 'The number that it has at its site', example: 12 },
  taken_over_by: { description: 'Who took the task over', example: 'li' },
  task_id: { description: 'Id of a task', example: 42 },
  tenant: {
    description: 'The tenant whose rows are read; a key that is bound to one leaves it out',
    example: 'acme',
  },
  tenant_code: {
    description: 'The tenant; whoever is bound to one may leave it out, and gets 403 for another',
    example: 'acme',
  },
  to: { description: 'The version that it is compared with', example: 2 },
  type: { description: 'The type of what is listed', example: 'vehicle.intrusion' },
  until: { description: 'Before this time, RFC 3339 with a zone', example: '2026-03-08T00:00:00+08:00' },
  user: { description: 'Name of a user', example: 'chief' },
  corrected_to: { description: 'What the first verdict was corrected to last; `none`: it was not' },
  standing: {
    description: 'The verdict as it stands: the last correction, or else the first; `none`: not judged yet',
  },
  verdict: { description: 'The first verdict; `none`: not judged yet' },
  version: { description: 'Version of a release', example: '1.2.3' },
  want_id: { description: 'Id under which headquarters asked for the file', example: '5f0c2a4e' },
  wave: { description: 'A wave of a rollout, from 1 on', example: 1 },
  without: { description: 'Actions to be left out, with commas between', example: 'evidence.stored' },
};

/** Members of a parameter that say what it means. @param form its schema */
export function meaningOf(name: string, form: Json): Json {
  const meaning = MEANINGS[name];
  const { description = meaning?.description, examples, ...schema } = form as Json & { examples?: unknown[] };
  const values = [...(examples ?? []), schema.const, ...((schema.enum as unknown[] | undefined) ?? [])];
  const example =
    values.find((value) => value !== undefined) ?? schema.default ?? fitting(meaning?.example, schema);
  return {
    schema,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

/** Ids of some calls are numbers and of others texts. */
const fitting = (example: string | number | undefined, { type }: Json): unknown =>
  example === undefined || type === undefined
    ? example
    : type === 'string'
      ? String(example)
      : Number(example);
