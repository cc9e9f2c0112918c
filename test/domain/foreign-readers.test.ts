// Every file that takes bytes of others apart, with what bounds it and the test that tries it. Who adds one
// adds it here, and tries it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

/** What a file does that reads bytes by a parser, or asks a peer for an answer. */
const READS =
  /JSON\.parse\(|unzip\(|gunzip|XMLParser|yauzl|mammoth|unpdf|htmlparser2|sharp\(|from 'tar-stream'|maxAnswer|keepAnswer|GetObjectCommand|from 'mqtt'|pdftoppm|formidable|GatheredBytes|import\('nodemailer'\)/;

/** Bytes of cameras, sites, headquarters, business systems, stores, people's files: bounded, and tried in. */
const FOREIGN: Readonly<Record<string, string>> = {
  'common/agent/channel/message.ts': 'test/contract/http-client.ts',
  'common/agent/channel/sender.ts': 'test/contract/http-client.ts',
  'common/agent/channel/smtp.ts': 'test/e2e/mail.test.ts',
  'common/agent/rule-set/source.ts': 'test/domain/foreign-bytes.test.ts',
  'common/agent/summary/model.ts': 'test/domain/foreign-bytes.test.ts',
  'common/archive.ts': 'test/domain/hub-archive.test.ts',
  'common/core/evidence/uploader.ts': 'test/contract/http-client.ts',
  'common/core/feedback/sender.ts': 'test/contract/http-client.ts',
  'common/core/push/post.ts': 'test/contract/http-client.ts',
  'common/core/push/receipt.ts': 'test/domain/push-receipt.test.ts',
  'common/cursor.ts': 'test/fault/any-input.test.ts',
  'common/http/body/body.ts': 'test/fault/hostile.test.ts',
  'common/http/body/exact-json.ts': 'test/fault/hostile.test.ts',
  'common/http/body/gathered-bytes.ts': 'test/contract/http-client.ts',
  'common/http/body/json.ts': 'test/fault/hostile.test.ts',
  'common/http/outbound/client.ts': 'test/contract/http-client.ts',
  'hq/auth/passkey/ceremony.ts': 'test/hq/passkey.test.ts',
  'hq/auth/provider/client.ts': 'test/hq/provider.test.ts',
  'hq/backup/whole.ts': 'test/domain/hub-archive.test.ts',
  'hq/dataset/fetch.ts': 'test/domain/foreign-bytes.test.ts',
  'common/core/evidence/small/process.ts': 'test/hq/evidence/small.test.ts',
  'hq/duty/push/client.ts': 'test/hq/duty/calls.test.ts',
  'hq/cli/upgrade/release.ts': 'test/hq/fleet/command.test.ts',
  'hq/fleet/release/service.ts': 'test/hq/fleet/release.test.ts',
  'hq/form/forms.ts': 'test/hq/policy/form-upload.test.ts',
  'hq/form/multipart-check.ts': 'test/hq/policy/form-upload.test.ts',
  'hq/form/upload-folder.ts': 'test/hq/policy/form-upload.test.ts',
  'hq/http-client.ts': 'test/contract/http-client.ts',
  'hq/integration/post.ts': 'test/domain/foreign-bytes.test.ts',
  'hq/policy/embed/client.ts': 'test/domain/foreign-bytes.test.ts',
  'hq/policy/ingest/archive.ts': 'test/hq/policy/ingest.test.ts',
  'hq/policy/ingest/docx.ts': 'test/hq/policy/ingest.test.ts',
  'hq/policy/ingest/html.ts': 'test/hq/policy/html.test.ts',
  'hq/policy/ingest/pdf/read.ts': 'test/hq/policy/ingest.test.ts',
  'hq/policy/ingest/reader-process.ts': 'test/hq/policy/ingest.test.ts',
  'hq/policy/ingest/reader.ts': 'test/hq/policy/ingest.test.ts',
  'hq/policy/ingest/recognition.ts': 'test/hq/policy/recognition.test.ts',
  'hq/policy/original/s3.ts': 'test/domain/foreign-bytes.test.ts',
  'site/backup/restore.ts': 'test/site/store/open.test.ts',
  'site/http-client.ts': 'test/contract/http-client.ts',
  'site/intake/connection/http.ts': 'test/site/intake/endless.test.ts',
  'site/intake/connection/snapshot.ts': 'test/site/intake/endless.test.ts',
  'site/intake/dahua/records.ts': 'test/site/intake/dahua-records.test.ts',
  'site/intake/frigate/api.ts': 'test/contract/http-client.ts',
  'site/intake/hikvision/document.ts': 'test/site/intake/hardening.test.ts',
  'site/intake/message/json.ts': 'test/site/intake/hardening.test.ts',
  'site/intake/message/part-reader.ts': 'test/site/intake/endless.test.ts',
  'site/intake/mqtt/connector.ts': 'test/site/intake/endless.test.ts',
  'site/intake/onvif/client.ts': 'test/site/intake/endless.test.ts',
  'site/intake/onvif/document.ts': 'test/site/intake/hardening.test.ts',
  'site/intake/picture/fetch.ts': 'test/site/intake/device-pictures.test.ts',
  'site/intake/picture/now.ts': 'test/e2e/looking-in.test.ts',
  'site/policy/calls.ts': 'test/site/policy/library.test.ts',
  'common/uplink/upgrade/manifest.ts': 'test/domain/release.test.ts',
  'site/upgrade/files.ts': 'test/site/uplink/upgrade.test.ts',
  'site/upgrade/fetch.ts': 'test/site/uplink/upgrade.test.ts',
  'site/uplink/hub-calls.ts': 'test/domain/foreign-bytes.test.ts',
  'site/uplink/join.ts': 'test/contract/http-client.ts',
  'site/uplink/link-test.ts': 'test/contract/http-client.ts',
};

/** Bytes that the program wrote itself, or that somebody types at its terminal. */
const OWN = [
  'common/agent/rule-set/cache.ts',
  'common/core/event/decide.ts',
  'common/core/event/index/entry.ts',
  'common/core/event/record.ts',
  'common/core/evidence/access.ts',
  'common/core/operation/viewer.ts',
  'common/core/run/files.ts',
  'common/core/task/evidence.ts',
  'common/core/verdict/feed.ts',
  'common/http/middleware/retried.ts',
  'common/http/openapi/schemas.ts',
  'common/terminal/api.ts',
  'common/terminal/backup-note.ts',
  'common/terminal/journal/entry.ts',
  'hq/auth/provider/config.ts',
  'hq/auth/provider/service.ts',
  'hq/compose/restored.ts',
  'hq/duty/push/keys.ts',
  'hq/mcp/pictures.ts',
  'common/policy/index/lists.ts',
  'hq/policy/store/site-library.ts',
  'hq/receiver/store/change/judgements.ts',
  'hq/receiver/store/decision.ts',
  'hq/store/embedded/home.ts',
  'hq/store/event-index/numbers.ts',
  'hq/store/event-index/task-counts.ts',
  'hq/statistics/store/counts.ts',
  'hq/store/schema/columns.ts',
  'site/cli/rules.ts',
  'site/intake/frigate/verdict.ts',
  'site/intake/onvif/identity.ts',
  'site/intake/picture/held.ts',
  'site/intake/recorder.ts',
  'site/salvage/mend.ts',
  'site/store/adapter/library/libraries.ts',
  'site/store/adapter/uplink/settings-row.ts',
  'site/store/adapter/uplink/upgrade-row.ts',
  'site/store/adapter/verdict-statements.ts',
  'site/store/engine/restored-note.ts',
  'site/store/engine/store-note.ts',
  'site/store/event-index/tables.ts',
  'site/store/health/marker.ts',
  'site/store/retention/eviction.ts',
  'site/store/retention/retention.ts',
  'site/uplink/inbox/inbox.ts',
];

test('each reader of foreign bytes is known, and the test that tries it is there', () => {
  const found = ['common', 'hq', 'site']
    .flatMap((room) =>
      readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${room}/${name}`,
      ),
    )
    .filter((name) => name.endsWith('.ts') && !/\/console\/|status\/page\/|-messages\.ts$/.test(name))
    .filter((name) => READS.test(readFileSync(path.join(ROOT, name), 'utf8')));
  expect(found.sort()).toEqual([...Object.keys(FOREIGN), ...OWN].sort());
  for (const name of new Set(Object.values(FOREIGN)))
    expect(readFileSync(path.join(ROOT, name), 'utf8')).toMatch(/\btest(?:\.each)?\(/);
});
