// What the API description says beside its routes: the conventions of the wire, and every decision that the
// specification leaves open. It stands here, and nowhere else, in the words that callers read.
import { SIGNATURE_TOLERANCE_S } from '../signing/signature.ts';
import { SIGNATURE_VECTORS, type SignatureVector } from '../signing/signature-vectors.ts';

const WAYS_IN = `## Who may call
- **X-Admin-Key** opens everything but what only a signed key may do (intake, uplink). Beside the key of the
  configuration there are named ones, one for each holder: the audit has \`admin\` or \`admin:<name>\`. Past
  twenty wrong ones from an address each further one waits longer, 429 with \`Retry-After\`; a right one never
  does.
- **A login session**: \`POST /api/core/session/login\` sets the cookie \`fieldline_session\`; every change
  carries the header \`X-Requested-With: fieldline\`, else 403 \`csrf\`. A call names the permission that it
  needs.
- **A signed key** opens only what it is for: a node posts events, a site brings its uplink, a consumer makes
  the calls that the scopes of its key name, and pulls under its own name only.

A caller that is bound to one tenant sees that tenant and nothing else: another tenant's thing is answered as
one that does not exist, 404, and a list that names another tenant is 403. Credentials that are sent are
checked on public calls too.`;

const SIGNATURE = `## Signature
Headers \`X-Core-Key\` (key id), \`X-Core-Timestamp\` (Unix seconds) and \`X-Core-Signature\`: \`v1=\` and the
lowercase hex HMAC-SHA256, with the secret as UTF-8 text, over five lines joined by \\n without one at the
end:

    v1
    <the timestamp>
    <METHOD>
    <path and query exactly as on the request line>
    <lowercase hex SHA-256 of the raw body, of no bytes when there is none>

A compressed body is signed as it is sent. A timestamp more than ${SIGNATURE_TOLERANCE_S} s off is 401
\`clock_skew\` with \`serverTime\` and \`serverUnixSeconds\`, so that a camera without a clock can set one.
While a key is rotated, both its secrets work. The time, and what a key is for, are looked at once the
signature holds: before, every key id gets the same answer. What this program sends to cameras and consumers
is signed in the same way. Test vectors:

| | secret | timestamp | method | path and query | body | X-Core-Signature |
|---|---|---|---|---|---|---|
${SIGNATURE_VECTORS.map(vectorLine).join('\n')}`;

const CONVENTIONS = `## Conventions
- Request members and parameters are snake_case, answers camelCase, but for names that the specification
  gives.
- Times in answers are RFC 3339 in UTC with milliseconds. Times in requests are RFC 3339 with a zone; where a
  call says so, one without a zone is Beijing time.
- Ids of events, tasks and incident groups are integers; those of events grow in the order in which the events
  become visible.
- Members that a request body does not know are refused by name, so that a misspelling does not pass; at event
  intake they are kept out and named in \`ignored\`. An answer may gain members: ignore those you do not know.
- Lists are \`{items, nextCursor, hasMore}\`; \`nextCursor\` is opaque, bound to its list, and null at the
  end.
- Every answer carries \`X-Request-Id\`, under which the log has the request.

## Errors
\`{"error": "<stable code>", "message": "<what is wrong and what to do>", "details": [...],
"requestId": "..."}\`.
Programs go by the status and \`error\`. For \`validation_failed\`, \`details\` lists the faults as
\`{path, message}\`, 50 at most and then how many more. A body has a limit of bytes, of members and elements,
and of depth, and there is a limit to all bodies together: 413, send less at once; 400, nest less; 503
\`overloaded\`, send it again later. Every 409 has \`retryable\`: true, send the same request again; false,
read the state again first. 429, 503 and 507 carry \`Retry-After\` in seconds. No 5xx shows what is inside.
Besides what each call lists: 404 \`not_found\` for a path that is nothing, 405 \`method_not_allowed\`, 431
for headers above 16 KiB.

Who asks with \`Accept: application/problem+json\` gets every error in that form (RFC 9457): \`type\`,
\`title\`, \`status\` and \`detail\`, and beside them the members that it has otherwise.

Answers of 1 kB and more go packed to whoever sends \`Accept-Encoding\`. A \`GET\` with \`If-None-Match\` gets
an \`ETag\` (but for the shortest answers), and 304 without a body where the answer is what that names.`;

const DELIVERY = `## Idempotency
- An event is known by tenant and \`idempotency_key\`, for ever, at the site and at headquarters. The same key
  again is answered with the first id and \`duplicate: true\`, also when the content differs; the first
  content stays. Send a batch again unchanged until it is answered: a reply means that the events have
  survived a loss of power.
- The first verdict stands. Writing one again answers with the standing verdict and \`changed: false\`.
- Registering a consumer again changes its filters, never its cursor. An incident group is known by tenant and
  \`source_key\`; its members are only added.

## Cursors and epochs
A consumer's cursor is the id of the last event that it has processed; only \`ack\` moves it, and only
forward. The store has an \`epoch\`, a UUID that is renewed when the store is found to be an older copy of
itself. Send back the epoch that came with a batch: a cursor of another epoch (\`cursor_epoch_changed\`),
beyond the newest event (\`cursor_ahead\`), or before what is still kept (\`cursor_expired\`, with \`oldest\`)
is answered by name, never with silence.
A batch holds only events that were stored more than 2 s ago, so that none that is still being written is
skipped.`;

const MESSAGES = `## What this program sends
- **Push**, to a consumer with a \`push_url\`, every 3 s and at most 100 events:
  \`{consumer, items, nextCursor, hasMore, epoch}\` with the header \`X-Service-Consumer\`, signed with the
  consumer's name as key id when it has a \`secret_ref\`. Any 2xx takes it; failures wait longer each time, at
  most 600 s. A push never moves the confirmed cursor.
- The answer to a push may ask for evidence: \`{"evidence": [{"event_id", "name", "put_url", "headers"}]}\`.
  Each file is then PUT to its address, and \`GET /api/core/evidence/jobs\` says how it goes.
- **Feedback**, to the \`feedback_url\` of an event, signed with the key of the node that posted it: a verdict
  or correction \`{localAlertNo, eventId, verdict, by, reason}\`, progress of a task or a reminder
  \`{localAlertNo, eventId, taskId, taskState, by, reason, at}\`. Any 2xx takes it. It may come more than
  once.`;

const DECISIONS = `## Decisions that the specification leaves open
- A verdict written at headquarters on a site's event goes down at once while the site has a link, else with
  its next contact; until the site has answered it is headquarters' word only. Whether its camera heard comes
  up again: the timeline, and
  \`feedback\` of the event's verdict, say so at both ends. If the site judged first, its verdict stands at
  both ends and the decision is kept as lost, in the audit.
- A correction stands beside the first verdict (\`correctedTo\`), which never changes.
- A verdict is fed back to the camera within the request (2 s), and if that fails in the background with
  growing pauses until delivered or 7 days old. \`pushedBack\` and \`pushError\` say how the first try went; a
  camera out of reach does not fail the verdict. Feedback goes only to the networks that the operator allows,
  never to the machine itself unless that is listed. Whoever is bound to one tenant reads in \`pushError\`
  only the class of a failure: \`address not allowed\`, \`connection refused\`, \`timed out\`,
  \`unreachable\`, \`answered with an error\`, \`not sent\`; others read the detail after it.
- Tasks: \`open\` → \`taken_over\` → \`completed\` → \`closed\`; \`open\` or \`taken_over\` → \`cancelled\`; a
  completed rectification may go back to \`taken_over\`. Everything else is 409. Overdue, suppressed and
  escalated are facts, not states. Only disposal and rectification tasks are pushed to the field, and of
  these every transition.
- Incident groups: the source of a split and the target of a merge keep their state, and their facts are
  computed anew. A group that was merged away keeps answering with where it went, and can be restored while
  its members are kept.
- An event without a severity counts as medium. Event types in filters match exactly, or by a trailing \`*\`.
- On the uplink an item that headquarters refuses is parked at the site with the reason, listed, and can be
  sent again; it never blocks the rest.`;

export const API_TEXT = [
  'The core event service, the same at a site and at headquarters: a consumer written against one works ' +
    'against the other.',
  WAYS_IN,
  SIGNATURE,
  CONVENTIONS,
  DELIVERY,
  MESSAGES,
  DECISIONS,
].join('\n\n');

/** By tag; a tag without a text is shown by its name. */
export const TAG_TEXTS: Readonly<Record<string, string>> = {
  Events: 'What the field saw: intake from cameras, and reading.',
  Subscriptions: 'Consumers: registration, pulling by cursor, confirming, push.',
  Verdicts: 'What an event turned out to be, and corrections of that.',
  Evidence: 'Images and clips of an event.',
  Releases: 'Versions of the site, and their way to sites in waves.',
  Tasks: 'Who does what about an event, with the record of it.',
  Timeline: 'What became of one event, step by step.',
  Statistics: 'Counts of a time window.',
  Incidents: 'Groups of events that are one matter.',
  Rules: 'What is to be done about events: registered here, in versions.',
  Agent: 'The rules at work: what the agent goes by, and how its work goes.',
  'Admin keys': 'Who holds a key to everything: each under a name of its own.',
  Nodes: 'The registry of cameras and other edge nodes, and their keys.',
  Devices: 'Cameras, recorders and programs that cannot sign: their registry, and where they post.',
  Uplink: 'From a site to headquarters, and decisions back.',
  Duty: 'Who is on duty at headquarters, whom an alarm calls and how, and who takes it over.',
  Cameras: 'What people call cameras, the same everywhere.',
  Plans: 'Drawings of sites, with where their cameras are.',
  Sites: 'The registry of sites at headquarters, and their keys.',
  Sessions: 'Logging in and out.',
  Users: 'Who may log in at headquarters.',
  Secrets: 'Secrets that other calls name: given once, never shown.',
  'Dataset sources': 'Business systems whose datasets are pulled.',
  Datasets: 'What is pulled from business systems, by source.',
  'Open interface': 'What third parties call with an access token.',
  Integration: 'Clients of the open interface, webhooks and their deliveries.',
  Knowledge: 'Knowledge objects: cases, reports and lists, in versions.',
  'Policy library': 'Regulations: files, chunks, clearance, questions and answers.',
  'Policy search': 'Search in the library, and the check of citations.',
  Models: 'The Model Context Protocol, for programs of a language model.',
  Operation: 'Version, health, figures, alarms and the audit.',
};

function vectorLine({ name, secret, parts, signature }: SignatureVector): string {
  const { timestamp, method, target, body } = parts;
  const shown =
    typeof body === 'string'
      ? body === ''
        ? 'none'
        : `\`${body}\``
      : `the bytes \`${Buffer.from(body).toString('hex')}\``;
  const cells = [name, `\`${secret}\``, timestamp, method, `\`${target}\``, shown, `\`${signature}\``];
  return `| ${cells.join(' | ')} |`;
}
